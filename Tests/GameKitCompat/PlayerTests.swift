import Foundation
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Players", .serialized, .endsAtLast)
  struct PlayerTests {
    let friend = GKPlayer(FakeClient.friend, displayName: "Friend")

    @Test("2.9 A player's ids are one, and names are those of the profile")
    func ids() async throws {
      _ = GameKitTests.client()
      let id = FakeClient.friend.description
      let players = try await GKPlayer.loadPlayers(forIdentifiers: [
        id, FakeClient.stranger.description, "nobody",
      ])
      let player = try #require(players.first)
      #expect(players.count == 1 && player.displayName == "Friend" && player.alias == "Friend")
      #expect([player.playerID, player.gamePlayerID, player.teamPlayerID] == [id, id, id])
      #expect(player == friend && player.scopedIDsArePersistent() && player.guestIdentifier == nil)
      let base: GKBasePlayer = player
      #expect(base.playerID == id && base.displayName == "Friend")
    }

    @Test("2.9 A photo is loaded in its size; who has none is an error")
    func photo() async throws {
      let photo = PhotoID(high: 3, low: 3)
      let client = GameKitTests.client { answers in
        answers.smallPhoto = photo
        answers.photos = [photo: [0x89, 0x50]]
      }
      let image = try await friend.loadPhoto(for: .small)
      #expect(image.data == Data([0x89, 0x50]))
      #expect(
        await TurnTests.code { _ = try await friend.loadPhoto(for: .normal) } == .playerPhotoFailure
      )
      client.answers.withLock { $0.photos = [:] }
      let gone: Outcome<UIImage> = await GameKitTests.outcome {
        friend.loadPhoto(for: .small, withCompletionHandler: $0)
      }
      #expect(gone.value == nil && gone.error?.failure == .notFound)
      let stranger = GKPlayer(FakeClient.stranger, displayName: "")
      #expect(
        await TurnTests.code { _ = try await stranger.loadPhoto(for: .small) } == .invalidPlayer)
    }

    @Test("2.9 Whom the player has met of late is loaded page by page")
    func recent() async throws {
      _ = GameKitTests.client()
      let players = try await GKLocalPlayer.local.loadRecentPlayers()
      #expect(players.map(\.displayName) == ["Friend", "Other"])
      #expect(players.map(\.isInvitable) == [false, false])
    }

    @Test("3.1 The local player has GameKit's older spellings, and no restrictions of a device")
    func local() async {
      let client = GameKitTests.client()
      let local = GKLocalPlayer.localPlayer()
      #expect(local === GKLocalPlayer.local && local.isAuthenticated && local.alias == "Me")
      #expect(!local.isUnderage && !local.isMultiplayerGamingRestricted)
      #expect(!local.isPersonalizedCommunicationRestricted)
      client.setSignedIn(false)
      #expect(!local.isAuthenticated && local.playerID.isEmpty)
    }

    @Test("3.1 The change of authentication is posted, after the handler has heard of it")
    func posted() async {
      _ = GameKitTests.client()
      let (names, post) = AsyncStream.makeStream(of: Bool.self)
      let heard = Locked(false)
      let observer = NotificationCenter.default.addObserver(
        forName: .GKPlayerAuthenticationDidChangeNotificationName, object: nil, queue: nil
      ) { _ in post.yield(heard.withLock { $0 }) }
      GKLocalPlayer.local.authenticateHandler = { _, _ in heard.withLock { $0 = true } }
      var iterator = names.makeAsyncIterator()
      #expect(await iterator.next() == true)
      NotificationCenter.default.removeObserver(observer)
      GKLocalPlayer.local.authenticateHandler = nil
    }
  }
}
