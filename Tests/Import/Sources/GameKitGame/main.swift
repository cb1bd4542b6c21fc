import Foundation
import GameKitCompat
import MusterKit

// What a game does at its start, with the public interface only. Nothing listens at this address,
// and nothing is connected to: the client connects when it is first used.
let client = MusterClient(MusterConfiguration(host: "localhost", game: "import-check"))
GameKit.configure(client: client)

/// The counter of the GameKit article, as far as it speaks to a match.
final class Counter: GKMatchDelegate {
  var match: GKMatch?
  var counter = 0

  func change(by difference: Int) throws {
    counter += difference
    let data = withUnsafeBytes(of: counter.bigEndian) { Data($0) }
    try match?.sendData(toAllPlayers: data, with: .reliable)
  }

  func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {
    counter = data.reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A screen that looks for a match, and hears of invitations and turns.
final class Lobby: UIViewController, GKMatchmakerViewControllerDelegate, GKLocalPlayerListener {
  var failure: GKError?

  func open(_ request: GKMatchRequest) {
    guard let matchmaker = GKMatchmakerViewController(matchRequest: request) else { return }
    matchmaker.matchmakerDelegate = self
    present(matchmaker, animated: true)
  }

  func play(_ match: GKTurnBasedMatch) async throws {
    let others = match.participants.filter { $0.player != GKLocalPlayer.local }
    try await match.endTurn(
      withNextParticipants: others, turnTimeout: GKTurnTimeoutDefault, match: Data())
  }

  func player(_ player: GKPlayer, didAccept invite: GKInvite) {
    guard let matchmaker = GKMatchmakerViewController(invite: invite) else { return }
    matchmaker.matchmakerDelegate = self
    present(matchmaker, animated: true)
  }

  func matchmakerViewControllerWasCancelled(_ viewController: GKMatchmakerViewController) {
    dismiss(animated: true)
  }

  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFailWithError error: any Error
  ) {
    failure = error as? GKError
    dismiss(animated: true)
  }
}

/// What a game says of its achievements, and hears of challenges.
final class Trophies: GKLocalPlayerListener {
  var wanted: [GKChallenge] = []

  func earned(_ name: String) {
    let achievement = GKAchievement(identifier: name)
    achievement.percentComplete = 100
    GKAchievement.report([achievement])
  }

  func player(_ player: GKPlayer, wantsToPlay challenge: GKChallenge) { wanted.append(challenge) }
}

let trophies = Trophies()
GameKit.showChallengeBanner = { _, kind in kind == .received }
GKLocalPlayer.local.register(trophies)
trophies.earned("first")

let request = GKMatchRequest()
request.maxPlayers = .max
let counter = Counter()
try counter.change(by: 1)
let lobby = Lobby()
lobby.open(request)
while lobby.failure == nil { await Task.yield() }

guard client.state == .signedOut, !GKLocalPlayer.local.isAuthenticated, request.maxPlayers == 16,
  counter.counter == 1, lobby.failure?.code == .notAuthenticated,
  lobby.presentedViewController == nil
else {
  print("GameKitCompat does not behave: \(String(describing: lobby.failure))")
  exit(1)
}
print("GameKitCompat is there")
