package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let requestLifetime = NumberSetting(
    "request-lifetime-days", .days, default: 60, 1...3650,
    "How long a request waits for its recipient before it expires.")
  package static let inboxMax = NumberSetting(
    "inbox-max", .count, default: 500, 1...10_000,
    "Open requests of one recipient in one game; the next ones are turned down. Games that the "
      + "recipient has never signed in to count as one.")
  static let inboxTotal = NumberSetting(
    "inbox-total", .count, default: 5_000, 1...100_000,
    "Open requests of one recipient in all games together; when there are as many, a game has room "
      + "for a 256th of them, and for one at least.")
  package static let inboxPerSender = NumberSetting(
    "inbox-per-sender", .count, default: 100, 1...10_000,
    "Open requests of one recipient in one game that are of one sender; above half of inbox-max it "
      + "counts as half.")
}

/// The open requests of all players of this process.
///
/// Nothing is ever pushed out: what has no room is not taken. Each game has room of its own, and
/// one sender at most half of it, so a flood leaves room for others. All games together have a
/// bound, too; behind it each has a little room, so that many full ones leave some to the others.
///
/// What a player whom the recipient blocks has sent is not seen. It stays until it expires, so that
/// its sender is told the same as of one that nobody has answered.
struct ReceivedRequests {
  private let lifetimeMilliseconds: Int64
  private let perGameMax: Int
  private let perSenderMax: Int
  private let totalMax: Int
  /// Room of a game where there are `totalMax`.
  private let perGameMin: Int
  private var table = ResidentTable<ReceivedRequestRow>()
  /// Per player, oldest first. Each player here has a timer, which comes no later than the oldest
  /// request is too old.
  private var places: [PlayerID: [PageCursor<RequestKind>]] = [:]

  /// How many of each player's there are, by game and sender.
  private var counts: [PlayerID: [String: [PlayerID: Int]]] = [:]

  init(_ settings: SettingValues) {
    lifetimeMilliseconds = settings[.requestLifetime]
    perGameMax = Int(settings[.inboxMax])
    totalMax = Int(settings[.inboxTotal])
    perGameMin = max(1, totalMax / SessionLimits.gamesPerPlayerMax)
    perSenderMax = min(Int(settings[.inboxPerSender]), max(1, perGameMax / 2))
  }

  /// Nil also for one that is too old but not yet removed.
  func row(_ player: PlayerID, _ request: RequestID, now: Int64) -> ReceivedRequestRow? {
    guard let row = table[ReceivedRequestKey(player: player, request: request)],
      !isExpired(row, now: now)
    else { return nil }
    return row
  }

  /// Whether a request is on the list, though it may be too old.
  func contains(_ player: PlayerID, _ request: RequestID) -> Bool {
    table.contains(ReceivedRequestKey(player: player, request: request))
  }

  /// Whether there is no room for a request of a sender in a game.
  ///
  /// - Parameters:
  ///   - isForeignGame: whether the player has never signed in to the game. One room for each of
  ///     any number of games would be no bound.
  ///   - isForeign: the same of other games.
  func isFull(
    _ player: PlayerID, for sender: PlayerID, in game: String, isForeignGame: Bool,
    isForeign: (String) -> Bool
  ) -> Bool {
    guard let all = counts[player] else { return false }
    var (inGame, ofSender) = (0, 0)
    for (other, senders) in all where isForeignGame ? isForeign(other) : other == game {
      inGame += senders.values.reduce(0, +)
      ofSender += senders[sender] ?? 0
    }
    let isCrowded = (places[player]?.count ?? 0) >= totalMax && inGame >= perGameMin
    return isCrowded || inGame >= perGameMax || ofSender >= perSenderMax
  }

  /// Newest first, from behind `last`.
  ///
  /// - Parameter isHidden: whether those of a sender are left out.
  func page(
    of player: PlayerID, game: String, after last: PageCursor<RequestKind>?, limit: Int,
    now: Int64, isHidden: (PlayerID) -> Bool
  ) -> (rows: [ReceivedRequestRow], hasMore: Bool) {
    var rows: [ReceivedRequestRow] = []
    var bytes = 0
    for place in (places[player] ?? []).reversed() {
      if let last, place >= last { continue }
      guard let row = row(player, place.id, now: now), row.game == game, !isHidden(row.sender)
      else { continue }
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
    if places[row.key.player]?.count == 1 { setTimer(of: row.key.player, &transaction) }
  }

  mutating func remove(_ row: ReceivedRequestRow, _ transaction: inout Transaction) {
    erase(row, &transaction)
    guard places[row.key.player] == nil else { return }
    transaction.cancelTimer(ExpireRequests.self, on: row.key.player)
  }

  /// Removes a request without its timer, which may be of another key: it finds nothing. Returns
  /// whether it was still there.
  @discardableResult
  mutating func erase(_ row: ReceivedRequestRow, _ transaction: inout Transaction) -> Bool {
    guard table.remove(row.key, &transaction) != nil else { return false }
    places[row.key.player]?.removeAll { $0 == row.place }
    count(row, -1)
    if places[row.key.player]?.isEmpty == true { places[row.key.player] = nil }
    return true
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
    places[row.key.player, default: []].insert(row.place)
    count(row, 1)
  }

  /// How many requests of one game are on a player's list.
  ///
  /// - Parameter isHidden: whether those of a sender are left out.
  func count(of player: PlayerID, game: String, isHidden: (PlayerID) -> Bool) -> Int {
    let senders = counts[player]?[game] ?? [:]
    return senders.reduce(0) { $0 + (isHidden($1.key) ? 0 : $1.value) }
  }

  /// Keeps no entry of 0. Counts in place: a list of many senders is not copied for each request.
  private mutating func count(_ row: ReceivedRequestRow, _ change: Int) {
    let (player, game) = (row.key.player, row.game)
    counts[player, default: [:]][game, default: [:]][row.sender, default: 0] += change
    guard change < 0, counts[player]?[game]?[row.sender] == 0 else { return }
    counts[player]?[game]?[row.sender] = nil
    if counts[player]?[game]?.isEmpty == true { counts[player]?[game] = nil }
    if counts[player]?.isEmpty == true { counts[player] = nil }
  }
}

extension [PageCursor<RequestKind>] {
  /// Puts a place into the sorted list. New ones come at the end; stored ones in any order.
  fileprivate mutating func insert(_ place: PageCursor<RequestKind>) {
    if let last, place < last {
      insert(place, at: sortedCount { $0 < place })
    } else {
      append(place)
    }
  }
}
