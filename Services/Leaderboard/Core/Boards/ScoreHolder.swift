import Operations
import Wire

/// A row, or a part of one, with the fields of a board's entry except its player.
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
    Board.Entry(player: player, value: value, context: context, date: date, arrival: arrival)
  }
}

extension EntryRow: ScoreHolder {}
extension OccurrenceEntryRow: ScoreHolder {}
extension RankedEntryRow: ScoreHolder {}
extension AttemptRow: ScoreHolder {}
extension RecentAttemptRow: ScoreHolder {}
extension HeldScore: ScoreHolder {}
extension PastEntryRow: ScoreHolder {}
