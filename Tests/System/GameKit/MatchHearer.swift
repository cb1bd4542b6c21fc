import Foundation
import GameKitCompat
import MusterKit

/// Hears of a match.
@MainActor
final class MatchHearer: GKMatchDelegate {
  /// Players' names and states, and errors.
  let changes = ToldTexts()
  /// The texts that players have sent.
  let data = ToldTexts()
  private(set) var states: [GKPlayerConnectionState] = []

  func match(_ match: GKMatch, didReceive data: Data, fromRemotePlayer player: GKPlayer) {
    self.data.tell(String(decoding: data, as: UTF8.self))
  }
  func match(_ match: GKMatch, player: GKPlayer, didChange state: GKPlayerConnectionState) {
    states.append(state)
    changes.tell("\(player.displayName) \(state)")
  }
  func match(_ match: GKMatch, didFailWithError error: (any Error)?) {
    changes.tell("failed \((error as? GKError).map { "\($0.failure)" } ?? "")")
  }
}

/// Hears of accepted invitations, and how matchmakers end.
@MainActor
final class MatchmakerHearer: GKLocalPlayerListener, GKMatchmakerViewControllerDelegate,
  GKTurnBasedMatchmakerViewControllerDelegate
{
  let told = ToldTexts()
  private(set) var invite: GKInvite?
  private(set) var match: GKMatch?

  private func tell(_ error: any Error) {
    told.tell("failed \((error as? GKError).map { "\($0.failure)" } ?? "\(error)")")
  }

  func player(_ player: GKPlayer, didAccept invite: GKInvite) {
    self.invite = invite
    told.tell("accepted \(invite.sender.displayName)")
  }

  func matchmakerViewControllerWasCancelled(_ viewController: GKMatchmakerViewController) {
    told.tell("cancelled")
  }
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFailWithError error: any Error
  ) { tell(error) }
  func matchmakerViewController(
    _ viewController: GKMatchmakerViewController, didFind match: GKMatch
  ) {
    self.match = match
    told.tell("found \(match.players.map(\.displayName).joined(separator: ","))")
  }

  func turnBasedMatchmakerViewControllerWasCancelled(
    _ viewController: GKTurnBasedMatchmakerViewController
  ) { told.tell("cancelled") }
  func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, didFailWithError error: any Error
  ) { tell(error) }
  func turnBasedMatchmakerViewController(
    _ viewController: GKTurnBasedMatchmakerViewController, didFind match: GKTurnBasedMatch
  ) { told.tell("found \(match.participants.count)") }
}

extension GKMatch {
  /// Sends the numbers as texts, to all.
  func send(_ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      try sendData(toAllPlayers: Data("\(number)".utf8), with: .reliable)
    }
  }
}

/// A player of MusterKit in a match with the local one.
@MainActor
final class MatchOther {
  let match: Match
  private(set) var states: [MatchPlayerState] = []

  init(_ match: Match) { self.match = match }

  func send(_ numbers: ClosedRange<Int>) async throws {
    for number in numbers { try await match.sendReliable(Array("\(number)".utf8)) }
  }

  /// The next text that came, or that the match has ended.
  func next() async -> String? {
    for await event in match.events {
      switch event {
      case .data(_, let bytes, _): return String(decoding: bytes, as: UTF8.self)
      case .playerChanged(_, let state, _): states.append(state)
      case .messageLost: return "lost"
      case .ended: return "ended"
      }
    }
    return nil
  }

  /// So many texts that came next.
  func next(_ count: Int) async -> [String?] {
    var texts: [String?] = []
    for _ in 0..<count { texts.append(await next()) }
    return texts
  }
}
