import Operations
import Wire

/// A row, or a part of one, that has what an entry of a board has, but for whose it is.
protocol ScoreHolder {
  var value: Int64 { get set }
  var context: UInt64 { get set }
  var date: Int64 { get set }
  var arrival: UInt64 { get set }
}

extension ScoreHolder {
  mutating func take(_ entry: Board.Entry) {
    value = entry.value
    context = entry.context
    date = entry.date
    arrival = entry.arrival
  }

  func entry(of player: PlayerID) -> Board.Entry {
    var entry = Board.Entry()
    entry.player = player
    entry.value = value
    entry.context = context
    entry.date = date
    entry.arrival = arrival
    return entry
  }
}

extension EntryRow: ScoreHolder {}
extension OccurrenceEntryRow: ScoreHolder {}
extension RankedEntryRow: ScoreHolder {}
extension HeldScore: ScoreHolder {}
extension PastEntryRow: ScoreHolder {}
