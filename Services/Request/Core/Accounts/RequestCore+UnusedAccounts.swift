import Domain
import Operations
import Wire

extension NumberSetting {
  static let unusedAccount = NumberSetting(
    "unused-account-days", .days, default: 30, 0...3650,
    "How long an account is kept that nobody has ever signed in with; 0 keeps it for good, where "
      + "a game's server has scores of players who never sign in.")
}

// Accounts that were made and never used. Anybody can make them, as many as the budget of sign-ups
// allows, and each is in memory for good.
//
// An account counts as used once somebody has signed in with it. What a player can have made with
// the other services, such as a context, begins with a session, of which there was none: so they
// are neither asked nor told. Where a game's server has a score of such a player, an operator
// erases the player by the id, though it is unknown here by then (`ErasePlayer`). Other players
// reach the account's key before it is used, by an invitation or a request: that counts as use too.
// An account that was used is never taken away: with whoever has signed in once, the boards may
// have a score.

extension RequestCore {
  /// Beside that of reservations and bans at the same key. It follows from the rows, and has none.
  private static let unusedItem = RoutingKey(high: 0, low: 1)

  /// An account was made by its first device.
  func setUnusedTimer(of player: PlayerRow, _ transaction: inout Transaction) {
    let lifetime = settings[.unusedAccount]
    guard lifetime > 0, hasNeverSignedIn(player.key) else { return }
    // One that is not removed when its time comes, since others know of it, is looked at again.
    let age = max(0, transaction.now - player.created)
    let date = player.created + (age / lifetime + 1) * lifetime
    transaction.setTimer(
      ExpireReservations(), on: player.key, item: Self.unusedItem, at: date, isKept: false)
  }

  /// Somebody signs in for the first time.
  func cancelUnusedTimer(of player: PlayerID, _ transaction: inout Transaction) {
    transaction.cancelTimer(ExpireReservations.self, on: player, item: Self.unusedItem)
  }

  func expireUnused(_ key: PlayerID, _ transaction: inout Transaction) {
    let lifetime = settings[.unusedAccount]
    guard lifetime > 0, let player = players[key], hasNeverSignedIn(key) else { return }
    guard transaction.now - player.created >= lifetime, isUnknown(key) else {
      return setUnusedTimer(of: player, &transaction)
    }
    for row in devices.rows(of: key).sorted(by: { $0.key < $1.key }) {
      devices.remove(row.key, &transaction)
    }
    players.remove(key, &transaction)
  }

  /// A player who was made for an identity has a device once somebody has signed up with it, and
  /// that counts as use.
  private func hasNeverSignedIn(_ player: PlayerID) -> Bool {
    devices.count(of: player) > 0 && devices.rows(of: player).allSatisfy { !$0.hasSignedIn }
      && games.count(of: player) == 0 && holdings.count(of: player) == 0
  }

  /// Whether no other player and no operator has told this key anything that is still here.
  private func isUnknown(_ player: PlayerID) -> Bool {
    streams[player] == nil && edges.isEmpty(of: player) && bans.count(of: player) == 0
  }

  func unusedAccountsLoaded(_ transaction: inout Transaction) {
    for key in devices.groups {
      if let player = players[key] { setUnusedTimer(of: player, &transaction) }
    }
  }
}
