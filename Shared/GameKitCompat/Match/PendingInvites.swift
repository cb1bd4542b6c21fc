internal import MusterKit

/// The local player's own invitations that are not over.
@MainActor
final class PendingInvites {
  static let shared = PendingInvites()

  private var recipients: [MatchInviteID: [PlayerID]] = [:]

  func began(_ invite: MatchInviteID, to players: [PlayerID]) { recipients[invite] = players }
  func ended(_ invite: MatchInviteID) { recipients[invite] = nil }

  /// Invitations that are to this player alone. The server knows no way to take back a part of one.
  func invites(to player: PlayerID) -> [MatchInviteID] {
    recipients.filter { $0.value == [player] }.map(\.key)
  }
}
