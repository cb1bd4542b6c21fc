import Domain
import Operations
import Wire

/// The progress of rebuilding a board's entries from its kept attempts, by another rule.
///
/// One round goes over all of the board's attempts, which stand player by player, and for each
/// player occurrence by occurrence. A player whose attempts were read is `passed`: further attempts
/// then count in the new entry at once. Players on whom an owner used a power are read again at the
/// end. Last come the entries of players without a kept attempt, as they are. New entries have rows
/// of their own, beside the old ones.
final class Recount {
  /// The player whose attempts are being read, the ranking that they count in if it is kept, and
  /// the entry that they make so far.
  struct Scan {
    var from: [UInt8]
    let through: [UInt8]
    var player: PlayerID?
    var ranking: Board?
    var entry: Board.Entry?
    /// The attempt that the old entry shows was among those read.
    var hasShown = false
  }

  /// The new rule.
  let definition: LeaderboardDefinition
  var scan: Scan?
  var isScanned = false
  /// To be read again, in this order; a player is in it once.
  var again = Queue<PlayerID>()
  private var isAgain: Set<PlayerID> = []

  init(of boardKey: RoutingKey, by definition: LeaderboardDefinition) {
    self.definition = definition
    scan = Scan(from: boardKey.keyBytes, through: boardKey.keyBytes)
  }

  /// Returns whether the round would not read a new attempt of the player any more.
  func hasPassed(_ player: PlayerID) -> Bool {
    if isAgain.contains(player) { return false }
    if isScanned { return true }
    return scan?.player.map { player < $0 } ?? false
  }

  func isToBeRead(_ player: PlayerID) -> Bool { isAgain.contains(player) }

  func readAgain(_ player: PlayerID) { if isAgain.insert(player).inserted { again.append(player) } }

  /// Begins to read the next of those who are to be read again; false when there is none.
  func beginReadingAgain(_ boardKey: RoutingKey) -> Bool {
    guard !again.isEmpty else { return false }
    let player = again.removeFirst()
    isAgain.remove(player)
    let prefix = EntryKey(boardKey: boardKey, player: player).keyBytes
    scan = Scan(from: prefix, through: prefix, player: player)
    return true
  }
}

extension LeaderboardDefinition {
  /// Merges an older and a newer entry, either of which may be a single attempt.
  func merged(_ older: Board.Entry, _ newer: Board.Entry) -> Board.Entry {
    switch aggregation {
    case .latest: return newer
    case .sum:
      if newer.value == 0 { return older }
      var sum = newer
      let (value, isOverflow) = older.value.addingReportingOverflow(newer.value)
      sum.value = isOverflow ? (newer.value < 0 ? .min : .max) : value
      return sum
    default: return sortOrder.isBetter(newer.value, than: older.value) ? newer : older
    }
  }
}

extension Board {
  /// Takes an attempt that came while entries are rebuilt, in the ranking that it counts in.
  ///
  /// - Parameter old: the player's entry before the attempt. Where a player who was passed has no
  ///   new entry, no attempt was kept: then the attempt adds to the old one.
  func recount(_ attempt: Entry, after old: Entry?, _ transaction: inout Transaction) {
    guard let successor, successor.recount?.hasPassed(attempt.player) == true else { return }
    let before = successor.entry(of: attempt.player) ?? old
    let entry = before.map { successor.definition.merged($0, attempt) }
    putIntoSuccessor(entry ?? attempt, &transaction)
  }

  /// Reads a player's attempts again, because an owner used a power on the player meanwhile.
  ///
  /// - Parameter changed: the rankings that may count other attempts of the player than before.
  ///   Their new entries go at once, with rows from before a restart; those of others stay right.
  func recountAgain(_ player: PlayerID, in changed: [Board], _ transaction: inout Transaction) {
    guard let recount = successor?.recount else { return }
    recount.readAgain(player)
    for ranking in rankings where changed.contains(where: { $0 === ranking }) {
      ranking.removeFromSuccessor(player, &transaction)
    }
  }

  /// Takes one step of rebuilding entries; true when all are there.
  func advanceRecount(
    _ recount: Recount, _ step: ReRankStep, _ transaction: inout Transaction
  ) throws(Stop) -> Bool {
    if recount.scan == nil && !recount.beginReadingAgain(key) {
      return takeOver(atMost: step.attemptsMax, &transaction)
    }
    guard let scan = recount.scan else { return false }
    let range = ColdRange(
      table: AttemptRow.tableID, from: scan.from, through: scan.through, limit: step.attemptsMax)
    let rows = try transaction.rows(AttemptRow.self, in: range)
    for row in rows { read(row, recount, &transaction) }
    if rows.count < step.attemptsMax {
      end(recount, &transaction)
      // The last phase may have passed those entries of the player that have no kept attempt.
      if recount.isScanned, let player = scan.player, !recount.isToBeRead(player) {
        for ranking in rankings { ranking.takeOver(ranking.entry(of: player), &transaction) }
      }
      recount.scan = nil
      recount.isScanned = true
    }
    return false
  }

  private func read(
    _ row: AttemptRow, _ recount: Recount, _ transaction: inout Transaction
  ) {
    let (player, ranking) = (row.key.player, ranking(of: row.key.arrival))
    if recount.scan?.player != player || recount.scan?.ranking !== ranking {
      end(recount, &transaction)
      recount.scan?.player = player
      recount.scan?.ranking = ranking
      recount.scan?.entry = nil
      recount.scan?.hasShown = false
    }
    // The first key after this one.
    recount.scan?.from = row.key.keyBytes + [0]
    guard let ranking, row.key.arrival > removedThrough,
      extras?.marks[player]?.counts(row.key.arrival) != false
    else { return }
    if row.key.arrival == ranking.entry(of: player)?.arrival { recount.scan?.hasShown = true }
    let before = recount.scan?.entry
    recount.scan?.entry = before.map { recount.definition.merged($0, row.entry) } ?? row.entry
  }

  /// Makes a player's new entry in a ranking when all of the player's attempts there were read.
  private func end(_ recount: Recount, _ transaction: inout Transaction) {
    guard let scan = recount.scan, let player = scan.player, !recount.isToBeRead(player),
      let ranking = scan.ranking
    else { return }
    var made = scan.entry
    if !scan.hasShown, let old = ranking.entry(of: player) {
      if let found = made {
        // The old entry may be an attempt from before attempts were kept; a sum is none.
        if definition.aggregation != .sum {
          let isOlder = old.arrival < found.arrival
          made = recount.definition.merged(isOlder ? old : found, isOlder ? found : old)
        }
      } else {
        made = old
      }
    }
    if let made {
      ranking.putIntoSuccessor(made, &transaction)
    } else {
      ranking.removeFromSuccessor(player, &transaction)
    }
  }
}
