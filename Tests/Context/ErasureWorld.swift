import ContextCore
import Operations
import TestKit
import Testing
import Wire

@testable import Domain

/// Ann is erased: whatever the context service keeps of her is gone.
extension ContextDriver {
  static var standIn: PlayerID { .sample(77) }

  /// The tables with a row that names the player, or has the words.
  func tables(with player: PlayerID, or words: String? = nil) -> Set<String> {
    let trace = PlayerTrace(player)
    let words = words.map { Array($0.utf8) }
    let found = engine.tables.all.filter { table in
      (rows[table.description.id] ?? [:]).values.contains { row in
        trace.isIn(row) || words.map(row.contains(sequence:)) == true
      }
    }
    return Set(found.map(\.description.name))
  }

  /// Erases Ann, and waits until nothing is left of her.
  ///
  /// - Parameter isInterleaved: whether effects arrive between the steps of the walk over all rows,
  ///   and not when it is done.
  /// - Returns: the events that the others get meanwhile.
  @discardableResult
  func eraseAnn(isInterleaved: Bool = false) throws -> [AppendEvent] {
    var news: [AppendEvent] = []
    #expect(!tables(with: ann).isEmpty)
    var operation = EraseContextRecords()
    operation.key = Slot.keys[3]
    (operation.player, operation.standIn) = (ann, Self.standIn)
    try call(operation, as: PlayerID(), key: operation.key, kind: .service)
    for _ in 0..<10 {
      var isDue = true
      while isDue {
        #expect(runTimers(atMost: isInterleaved ? 1 : .max).isEmpty)
        #expect(try deliverOwnEffects().isEmpty)
        isDue = engine.nextTimerDue.map { $0 <= clock } == true
      }
      news += try takeEffects(AppendEvent.self).map(\.operation)
      _ = try takeEffects(RecordRecentPlayers.self)
      clock += ErasureLimits.againMilliseconds
    }
    #expect(tables(with: ann).isEmpty)
    #expect(engine.walk.open.isEmpty)
    return news
  }
}
