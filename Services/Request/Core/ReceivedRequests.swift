package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let requestLifetime = NumberSetting(
    "request-lifetime-days", .days, default: 60, 1...3650,
    "How long a request waits for its recipient before it expires.")
  static let inboxMax = NumberSetting(
    "inbox-max", .count, default: 500, 1...10_000,
    "Open requests of one recipient, all games together; the next ones are turned down.")
}

/// The open requests of all players of this process.
struct ReceivedRequests {
  private let lifetimeMilliseconds: Int64
  private var table = ResidentTable<ReceivedRequestRow>()
  /// Per player, oldest first. Each player here has a timer, which comes no later than the oldest
  /// request is too old.
  private var places: [PlayerID: [PageCursor<RequestKind>]] = [:]

  init(lifetimeMilliseconds: Int64) { self.lifetimeMilliseconds = lifetimeMilliseconds }

  /// Nil also for one that is too old but not yet removed.
  func row(_ player: PlayerID, _ request: RequestID, now: Int64) -> ReceivedRequestRow? {
    guard let row = table[ReceivedRequestKey(player: player, request: request)],
      !isExpired(row, now: now)
    else { return nil }
    return row
  }

  func count(of player: PlayerID) -> Int { places[player]?.count ?? 0 }

  /// Newest first, from behind `last`.
  func page(
    of player: PlayerID, game: String, after last: PageCursor<RequestKind>?, limit: Int, now: Int64
  ) -> (rows: [ReceivedRequestRow], hasMore: Bool) {
    var rows: [ReceivedRequestRow] = []
    var bytes = 0
    for place in (places[player] ?? []).reversed() {
      if let last, place >= last { continue }
      guard let row = row(player, place.id, now: now), row.game == game else { continue }
      bytes += row.encoded.count
      if rows.count == limit || !rows.isEmpty && bytes > StreamLimits.pageBytesMax {
        return (rows, true)
      }
      rows.append(row)
    }
    return (rows, false)
  }

  mutating func put(_ row: ReceivedRequestRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
    insert(row)
    if count(of: row.key.player) == 1 { setTimer(of: row.key.player, &transaction) }
  }

  mutating func remove(_ row: ReceivedRequestRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
    places[row.key.player]?.removeAll { $0 == row.place }
    guard places[row.key.player]?.isEmpty == true else { return }
    places[row.key.player] = nil
    transaction.cancelTimer(ExpireRequests.self, on: row.key.player)
  }

  private func setTimer(of player: PlayerID, _ transaction: inout Transaction) {
    guard let oldest = places[player]?.first else { return }
    transaction.setTimer(ExpireRequests(), on: player, at: oldest.time + lifetimeMilliseconds)
  }

  /// Takes out up to `countMax` of the player's requests that are too old, and looks again when the
  /// next one is.
  mutating func takeExpired(
    of player: PlayerID, countMax: Int, _ transaction: inout Transaction
  ) -> [ReceivedRequestRow] {
    var taken: [ReceivedRequestRow] = []
    while taken.count < countMax, let oldest = places[player]?.first,
      let row = table[ReceivedRequestKey(player: player, request: oldest.id)],
      isExpired(row, now: transaction.now)
    {
      remove(row, &transaction)
      taken.append(row)
    }
    setTimer(of: player, &transaction)
    return taken
  }

  mutating func load(_ row: ReceivedRequestRow) {
    table.load(row)
    insert(row)
  }

  func loaded(_ transaction: inout Transaction) {
    for player in places.keys { setTimer(of: player, &transaction) }
  }

  private func isExpired(_ row: ReceivedRequestRow, now: Int64) -> Bool {
    row.received + lifetimeMilliseconds <= now
  }

  private mutating func insert(_ row: ReceivedRequestRow) {
    // New ones come at the end; stored ones in any order.
    var list = places.removeValue(forKey: row.key.player) ?? []
    list.insert(row.place, at: list.sortedCount { $0 < row.place })
    places[row.key.player] = list
  }
}
