import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// Who players are, told through a gateway and over keys in several processes.
  @Suite struct Profiles {
    /// A picture as far as rules read it, in three pieces, with a place in it.
    private var photo: [UInt8] {
      let place = [UInt8](repeating: UInt8(ascii: "@"), count: 30)
      let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 64, 0, 64, 1, 1, 0x11, 0]
      return [0xFF, 0xD8, 0xFF, 0xE1, 0, 32] + place + frame + [0xFF, 0xDA, 0, 2]
        + [UInt8](repeating: 7, count: 80_000) + [0xFF, 0xD9]
    }

    @Test("2.9 profiles, photos, presence and suggestions are told, wherever the players live")
    func told() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        let cleo = try await stack.player("Cleo")
        try await befriend(anna, ben)
        try await befriend(ben, cleo)
        var set = SetProfile()
        set.alias = "Benni"
        _ = try await ben.client.call(set)
        let id = try await ben.client.setPhoto(photo)
        let clean = PhotoRules.withoutMetadata(photo)
        #expect(id == PhotoID(of: clean) && clean.count == photo.count - 34)

        let stranger = PlayerID(high: 1, low: 1)
        let asked = [cleo.1.player, stranger, ben.1.player]
        let profiles = try await anna.client.profiles(of: asked)
        #expect(profiles.map(\.player) == asked)
        #expect(profiles.map(\.isReachable) == [true, false, true])
        #expect(profiles[2].displayName == "Ben" && profiles[2].alias == "Benni")
        #expect(profiles[2].normalPhoto == id && profiles[2].presence == .online)
        #expect(profiles[0].presence == .none)
        #expect(try await anna.client.photo(id, of: ben.1.player) == clean)
        let suggested = try await anna.client.call(SuggestFriends()).suggestions
        #expect(suggested.map(\.profile.player) == [cleo.1.player])
        #expect(suggested.map(\.mutualFriends) == [1])
        for player in [anna, ben, cleo] { await player.client.close() }
      }
    }

    @Test("2.9 more friends than a page has are listed, each once, with their profiles of now")
    func manyFriends() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let anna = try await stack.player("Anna")
        var invite = InviteFriend()
        invite.player = anna.1.player
        var others: Set<PlayerID> = []
        for number in 0..<FriendLimits.pageMax + 5 {
          let other = try await stack.player("Friend \(number)")
          _ = try await other.client.call(invite)
          others.insert(other.1.player)
          await other.client.close()
        }
        var waiting = others
        for await event in anna.client.events {
          guard let invitation = event.decode(FriendInvitation.self) else { continue }
          var answer = AnswerFriend()
          (answer.player, answer.accept) = (invitation.player, true)
          #expect(try await anna.client.call(answer).state == .friends)
          waiting.remove(invitation.player)
          if waiting.isEmpty { break }
        }
        let friends = try await anna.client.friends()
        #expect(friends.count == others.count && Set(friends.map(\.player)) == others)
        #expect(friends.map(\.player) == friends.map(\.player).sorted())
        #expect(friends.allSatisfy { $0.state == .friends && $0.presence != .none })
        #expect(friends.allSatisfy { $0.displayName.hasPrefix("Friend ") })
        await anna.client.close()
      }
    }
  }
}
