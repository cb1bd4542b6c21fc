import ContextCore
import Domain
import Operations
import TestKit
import Wire

// What is compared.
extension TurnSimulation {
  func checkAll() throws {
    for index in plays.indices {
      for seat in plays[index].seats.indices { try check(index, seat, isWhole: true) }
    }
  }

  func check(_ index: Int, _ seat: Int, isWhole: Bool = false) throws {
    let (play, player) = (plays[index], plays[index].seats[seat])
    let model = play.model
    if play.left.contains(player) || !play.hasSeat(seat) { return }
    let view = try view(index, player)
    try same(view.state?.array, model.state, "state")
    try same(view.hidden?.array, model.hidden[seat], "hidden state")
    try same(view.info.next, model.queue.map { play.seats[$0] }, "next players")
    try same(Int(view.info.moveCount), model.moves.count, "number of moves")
    try same(view.info.phase == .ended, model.isOver, "end")
    try same(view.info.phase == .paused, model.isPaused && !model.isOver, "pause")
    try same(
      view.info.seats.map(\.hasMoved), model.isIn.indices.map { model.sealed[$0] != nil },
      "who sealed")
    try same(view.info.hasConditionalMoves, model.lines[seat] != nil, "conditional moves")
    if model.clock > 0 {
      try same(view.info.seats.map(\.clockMilliseconds), model.clocks, "clocks")
    }
    if !model.isOver {
      try same(view.info.dueAt, model.due ?? 0, "time that is left")
      try same(view.info.seats.map { $0.state == .active }, model.isIn, "who plays")
      guard
        view.info.next.allSatisfy({ holder in
          play.seats.firstIndex(of: holder).map { model.isIn[$0] } == true
        })
      else { throw Fault("a player who is out has the turn") }
    }
    if let known = play.states[view.info.version] {
      try same(view.state?.array, known, "state of version \(view.info.version)")
    }
    plays[index].states[view.info.version] = view.state?.array
    try checkExchanges(view, play, seat)
    try checkMoves(index, player, from: isWhole ? 0 : max(0, model.moves.count - 5))
    try checkList(player)
  }

  private func checkMoves(_ index: Int, _ player: PlayerID, from: Int) throws {
    let (play, model) = (plays[index], plays[index].model)
    var found: [TurnMove] = []
    var read = ReadMoves()
    (read.context, read.number) = (play.context, 1)
    while from + found.count < model.moves.count {
      read.from = UInt32(from + found.count + 1)
      guard let page = try call(read, as: player)?.moves, !page.isEmpty else { break }
      found += page
    }
    let wanted = model.moves[from...]
    try same(found.map(\.payload.array), wanted.map(\.payload), "moves")
    try same(found.map(\.player), wanted.map { play.seats[$0.player] }, "players of moves")
    try same(found.map { Int($0.index) }, Array(wanted.indices.map { $0 + 1 }), "indexes of moves")
    for (move, wanted) in zip(found, wanted) {
      guard let position = wanted.position else { continue }
      try same(move.next, position.queue.map { play.seats[$0] }, "next players of a move")
      if model.clock > 0 { try same(move.clocks, position.clocks, "clocks of a move") }
    }
  }

  private func checkList(_ player: PlayerID) throws {
    var list = ListTurnGames()
    list.limit = 100
    let waiting = try call(list, as: player)?.games.map(\.context) ?? []
    for play in plays where !play.left.contains(player) {
      guard let seat = play.seats.firstIndex(of: player) else { continue }
      if play.model.isAwaited(seat) && !waiting.contains(play.context) {
        throw Fault("a game that waits for \(player) is not in the list")
      }
      if play.model.isOver && waiting.contains(play.context) {
        throw Fault("a game that is over is in the list")
      }
    }
    if Set(waiting).count != waiting.count { throw Fault("a game is in the list twice") }
  }

  func same<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
    if found == wanted { return }
    throw Fault("\(what): \(found) is not \(wanted)")
  }
}
