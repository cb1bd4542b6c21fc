import Domain
import Operations
import Wire

/// What boards need as time passes: old attempts, tickets and past entries are removed, and windows
/// move on. A board's timer applies `MaintainBoard` at the board's key; it is set only while there
/// is something that time will do.
struct BoardMaintenance: CorePart {
  /// Rows that one step may remove; of an occurrence that was being re-ranked when it was dropped,
  /// entries with two rows each.
  static var removedPerStepMax: Int { 2048 }

  let boards: Boards
  let sweeps: Sweeps
  let histories: Histories

  func register(_ router: inout Router) { router.on(MaintainBoard.self, maintain) }

  private func maintain(
    _ operation: MaintainBoard, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let board = boards[call.key], let extras = board.extras else { return }
    extras.maintenanceDue = .max
    var left = Self.removedPerStepMax
    left -= board.eraseFormerOccurrences(atMost: left, &transaction)
    if let windows = extras.windows {
      _ = windows.slide(to: transaction.now, atMost: windows.stepMax)
      left -= windows.trim(board.key, atMost: max(left, 0), &transaction)
    }
    left -= extras.tickets.expire(
      atMost: max(left, 0), lifetime: boards.settings[.runTicketLifetime], &transaction)
    extras.rates.forget(board.definition, at: transaction.now, atMost: max(left, 0))
    sweeps.begin(board, &transaction)
    board.sortHistory(&transaction)
    histories.beginTrim(board, &transaction)
    boards.scheduleMaintenance(of: board, &transaction)
  }
}

extension Board {
  /// When the board's next daily round begins. The time of day follows from the key's slot, so that
  /// the rounds of many boards are spread over the day.
  func nextRound(after now: Int64) -> Int64 {
    let (slot, interval) = (Int64(Slot.of(key)), Sweeps.intervalMilliseconds)
    return now + interval - (now - slot * interval / Int64(Slot.count)) % interval
  }
}

extension Boards {
  /// The least time between two steps that have little to do each, such as moving a window on.
  private static var maintenanceMillisecondsMin: Int64 { 1000 }

  /// Sets the timer that applies `MaintainBoard` as soon as time has something to do to the board.
  /// The timer is not kept, since it follows from the board's rows.
  func scheduleMaintenance(of board: Board, _ transaction: inout Transaction) {
    guard let extras = board.extras else { return }
    let due = maintenanceDue(extras, board.definition, at: transaction.now)
    guard due < extras.maintenanceDue else { return }
    extras.maintenanceDue = due
    transaction.setTimer(MaintainBoard(), on: board.key, at: due, isKept: false)
  }

  /// When time next does something to the board's extras; `Int64.max` for never.
  private func maintenanceDue(
    _ extras: BoardExtras, _ definition: LeaderboardDefinition, at now: Int64
  ) -> Int64 {
    if !extras.formerOccurrences.isEmpty || extras.windows?.hasLeftBehind == true
      || extras.windows?.rebuild.isUnderWay == true || extras.history?.isToBeSorted == true
    {
      return now
    }
    let little = min(
      extras.windows?.nextLeave ?? .max,
      extras.tickets.oldestDate.map { $0 + settings[.runTicketLifetime] } ?? .max,
      extras.rates.nextEnd(definition) ?? .max)
    var due = max(little, now + Self.maintenanceMillisecondsMin)
    if definition.attempts == .days || extras.mayHaveCompleted {
      due = min(due, extras.nextSweep)
    }
    return min(due, extras.history?.nextTrim ?? .max)
  }
}
