import Domain
import Operations
import Wire

/// How far it is that a board's entries are made anew from the kept attempts, by another rule.
///
/// One round goes over all of the board's attempts, which are together by player. Players whose
/// attempts were read are `passed`: from then on their new attempts count in the new entry at once.
/// Those about whom an owner did something are read again at the end. Last come entries of whom no
/// attempt was kept, which stay what they are. New entries have rows of their own, beside the old ones.
final class Recount {
  /// What is being read, and the entry that came of it so far.
  struct Scan {
    var from: [UInt8]
    let through: [UInt8]
    var player: PlayerID?
    var entry: Board.Entry?
    /// The attempt that the old entry shows was among those read.
    var hasShown = false
  }

  /// Of the rows that are written.
  let generation: UInt32
  var scan: Scan?
  var isScanned = false
  /// To be read again, in this order; a player is in it once.
  var again = Queue<PlayerID>()
  private var isAgain: Set<PlayerID> = []

  init(_ boardKey: RoutingKey, generation: UInt32) {
    self.generation = generation
    scan = Scan(from: boardKey.keyBytes, through: boardKey.keyBytes)
  }

  /// True when a new attempt of the player's would not be read any more.
  func hasPassed(_ player: PlayerID) -> Bool {
    if isAgain.contains(player) { return false }
    if isScanned { return true }
    return scan?.player.map { player < $0 } ?? false
  }

  func isToBeRead(_ player: PlayerID) -> Bool { isAgain.contains(player) }

  func readAgain(_ player: PlayerID) {
    if isAgain.insert(player).inserted { again.append(player) }
  }

  /// Begins to read the next of those who are to be read again; false when there is none.
  func beginNext(_ boardKey: RoutingKey) -> Bool {
    guard !again.isEmpty else { return false }
    let player = again.removeFirst()
    isAgain.remove(player)
    let key = AttemptKey(boardKey: boardKey, player: player, arrival: 0).keyBytes
    let prefix = Array(key.dropLast(MemoryLayout<UInt64>.size))
    scan = Scan(from: prefix, through: prefix, player: player)
    return true
  }
}

extension LeaderboardDefinition {
  /// One entry of an older and a newer one, either of which may be a single attempt.
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
  /// An attempt was taken while entries are made anew.
  ///
  /// - Parameter old: what the player had before it. Of a player who was passed without a new entry no
  ///   attempt was kept: then that is what the attempt comes to.
  func recount(_ attempt: Entry, after old: Entry?, _ transaction: inout Transaction) {
    guard let next, let recount = next.recount, recount.hasPassed(attempt.player) else { return }
    let before = next.entry(of: attempt.player) ?? old
    let entry = before.map { next.definition.merged($0, attempt) }
    putNext(entry ?? attempt, next, recount, &transaction)
  }

  /// An owner did something about the player while entries are made anew.
  func recountAgain(_ player: PlayerID, _ transaction: inout Transaction) {
    guard let next, let recount = next.recount else { return }
    recount.readAgain(player)
    removeNext(player, next, recount, &transaction)
  }

  /// One step of making entries anew; true when all are there.
  func advanceRecount(
    _ recount: Recount, _ step: ReRankStep, _ transaction: inout Transaction
  ) throws(Stop) -> Bool {
    guard let next else { return true }
    if recount.scan == nil && !recount.beginNext(key) {
      let entries = nextEntries(atMost: step.attemptsMax)
      for entry in entries where next.entry(of: entry.player) == nil {
        putNext(entry, next, recount, &transaction)
      }
      return entries.isEmpty && next.isWhole
    }
    guard let scan = recount.scan else { return false }
    let range = ColdRange(
      table: AttemptRow.tableID, from: scan.from, through: scan.through, limit: step.attemptsMax)
    let rows = try transaction.rows(AttemptRow.self, in: range)
    for row in rows { read(row, next, recount, &transaction) }
    if rows.count < step.attemptsMax {
      end(next, recount, &transaction)
      recount.scan = nil
      recount.isScanned = true
    }
    return false
  }

  private func read(
    _ row: AttemptRow, _ next: NextRanking, _ recount: Recount, _ transaction: inout Transaction
  ) {
    if recount.scan?.player != row.key.player {
      end(next, recount, &transaction)
      recount.scan?.player = row.key.player
      recount.scan?.entry = nil
      recount.scan?.hasShown = false
    }
    // The first key after this one.
    recount.scan?.from = row.key.keyBytes + [0]
    let player = row.key.player
    guard row.key.arrival > keeping?.floor(of: player) ?? 0 else { return }
    if row.key.arrival == entry(of: player)?.arrival { recount.scan?.hasShown = true }
    let before = recount.scan?.entry
    recount.scan?.entry = before.map { next.definition.merged($0, row.entry) } ?? row.entry
  }

  /// All of a player's attempts were read.
  private func end(
    _ next: NextRanking, _ recount: Recount, _ transaction: inout Transaction
  ) {
    guard let scan = recount.scan, let player = scan.player, !recount.isToBeRead(player) else {
      return
    }
    var made = scan.entry
    if !scan.hasShown, let old = entry(of: player) {
      if let found = made {
        // The old entry may be an attempt from before attempts were kept; a sum is none.
        if definition.aggregation != .sum {
          let isOlder = old.arrival < found.arrival
          made = next.definition.merged(isOlder ? old : found, isOlder ? found : old)
        }
      } else {
        made = old
      }
    }
    if let made {
      putNext(made, next, recount, &transaction)
    } else {
      removeNext(player, next, recount, &transaction)
    }
  }

  private func putNext(
    _ entry: Entry, _ next: NextRanking, _ recount: Recount, _ transaction: inout Transaction
  ) {
    next.put(entry)
    transaction.put(RankedEntryRow(entry, rowKey(entry.player, recount.generation)))
  }

  private func removeNext(
    _ player: PlayerID, _ next: NextRanking, _ recount: Recount,
    _ transaction: inout Transaction
  ) {
    next.remove(player)
    transaction.remove(RankedEntryRow.self, rowKey(player, recount.generation))
  }

  func rowKey(_ player: PlayerID, _ generation: UInt32) -> RankedEntryKey {
    RankedEntryKey(boardKey: key, generation: generation, player: player)
  }
}
