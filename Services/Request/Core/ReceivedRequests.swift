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

/// A request's place in a player's list.
struct InboxPlace: Comparable {
  var received: Int64
  var request: RequestID

  init(_ row: ReceivedRequestRow) {
    received = row.received
    request = row.key.request
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.received, left.request) < (right.received, right.request)
  }

  var cursor: String { PageCursor(time: received, id: request).text }

  init?(cursor: String) {
    guard let cursor = PageCursor<RequestKind>(cursor) else { return nil }
    received = cursor.time
    request = cursor.id
  }
}

/// The open requests of all players of this process.
struct ReceivedRequests {
  private let lifetimeMilliseconds: Int64
  private var table = ResidentTable<ReceivedRequestRow>()
  /// Per player, oldest first. Each player here has a timer, which comes no later than the oldest
  /// request is too old.
  private var places: [PlayerID: [InboxPlace]] = [:]

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
    of player: PlayerID, game: String, after last: InboxPlace?, limit: Int, now: Int64
  ) -> (rows: [ReceivedRequestRow], hasMore: Bool) {
    var rows: [ReceivedRequestRow] = []
    var bytes = 0
    for place in (places[player] ?? []).reversed() {
      if let last, place >= last { continue }
      guard let row = row(player, place.request, now: now), row.game == game else { continue }
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
    if count(of: row.key.player) == 1 { expireOldest(of: row.key.player, &transaction) }
  }

  mutating func remove(_ row: ReceivedRequestRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
    places[row.key.player]?.removeAll { $0.request == row.key.request }
    guard places[row.key.player]?.isEmpty == true else { return }
    places[row.key.player] = nil
    transaction.cancelTimer(ExpireRequests.self, on: row.key.player)
  }

  private func expireOldest(of player: PlayerID, _ transaction: inout Transaction) {
    guard let due = nextExpiry(of: player) else { return }
    transaction.setTimer(ExpireRequests(), on: player, at: due)
  }

  /// When the player's oldest request is too old; nil where there is none.
  private func nextExpiry(of player: PlayerID) -> Int64? {
    places[player]?.first.map { $0.received + lifetimeMilliseconds }
  }

  /// Takes out up to `countMax` of the player's requests that are too old, and looks again when the
  /// next one is.
  mutating func takeExpired(
    of player: PlayerID, countMax: Int, _ transaction: inout Transaction
  ) -> [ReceivedRequestRow] {
    var taken: [ReceivedRequestRow] = []
    while taken.count < countMax, let oldest = places[player]?.first,
      let row = table[ReceivedRequestKey(player: player, request: oldest.request)],
      isExpired(row, now: transaction.now)
    {
      remove(row, &transaction)
      taken.append(row)
    }
    expireOldest(of: player, &transaction)
    return taken
  }

  mutating func load(_ row: ReceivedRequestRow) {
    table.load(row)
    insert(row)
  }

  func loaded(_ transaction: inout Transaction) {
    for player in places.keys {
      guard let due = nextExpiry(of: player) else { continue }
      transaction.ensureTimer(ExpireRequests(), on: player, by: due)
    }
  }

  private func isExpired(_ row: ReceivedRequestRow, now: Int64) -> Bool {
    row.received + lifetimeMilliseconds <= now
  }

  private mutating func insert(_ row: ReceivedRequestRow) {
    let place = InboxPlace(row)
    // New ones come at the end; stored ones in any order.
    var list = places.removeValue(forKey: row.key.player) ?? []
    let index = list.lastIndex { $0 < place }.map { $0 + 1 } ?? 0
    list.insert(place, at: index)
    places[row.key.player] = list
  }
}
