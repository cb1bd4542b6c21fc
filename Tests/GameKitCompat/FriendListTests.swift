import MusterKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Friends", .serialized)
  struct FriendListTests {
    private func load() async -> Outcome<[GKPlayer]> {
      await GameKitTests.outcome { GKLocalPlayer.local.loadFriends($0) }
    }

    private static let friends = [
      (FakeClient.friend, FriendState.friends), (FakeClient.stranger, .invited),
    ]
    .map { player, state in
      var friend = Friend()
      (friend.player, friend.state, friend.displayName) = (player, state, "Friend")
      return friend
    }

    @Test("2.9 Friends are those who have agreed, and no others")
    func friends() async {
      _ = GameKitTests.client { $0.friends = Self.friends }
      let outcome = await load()
      #expect(
        outcome.value?.map(\.playerID) == [GKPlayer(FakeClient.friend, displayName: "").playerID])
      #expect(outcome.error == nil)
    }

    @Test("2.9 Friends come in GameKit's older forms too, and may be invited to matches")
    func older() async throws {
      _ = GameKitTests.client { $0.friends = Self.friends }
      let local = GKLocalPlayer.local
      let id = FakeClient.friend.description
      let friends = try await local.loadFriends()
      #expect(friends.map(\.playerID) == [id] && friends.map(\.isInvitable) == [true])
      #expect(local.friends == [id])
      let ids: Outcome<[String]> = await GameKitTests.outcome {
        local.loadFriends(completionHandler: $0)
      }
      #expect(ids.value == [id])
      #expect(try await local.loadFriendPlayers() == friends)
      #expect(try await local.loadChallengableFriends() == friends)
      #expect(try await local.loadFriends(identifiedBy: ["other"]).isEmpty)
      #expect(try await local.loadFriends(identifiedBy: [id]) == friends)
      #expect(try await local.loadFriendsAuthorizationStatus() == .authorized)
    }

    @Test("2.9 A list that was refused is told as such, and not asked for once more")
    func refused() async {
      let client = GameKitTests.client { answers in
        answers.friends = Self.friends
        answers.friendsFailure = MusterError(.rateLimited, "Not now.")
      }
      let outcome = await load()
      #expect(outcome.value == nil && outcome.error?.failure == .rateLimited)
      #expect(client.asked.count == 1)
    }
  }
}
