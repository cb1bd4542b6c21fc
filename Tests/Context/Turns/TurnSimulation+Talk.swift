import ContextCore
import Domain
import Operations
import TestKit
import Wire

// Open seats and exchanges.
extension TurnSimulation {
  func take(_ index: Int) throws {
    let play = plays[index]
    guard let seat = play.seats.firstIndex(of: newcomer), !play.hasSeat(seat),
      isHere(index, seat)
    else { return }
    var operation = AnswerTurnGame()
    (operation.context, operation.number, operation.accept) = (play.context, 1, true)
    let succeeds = play.model.open.contains(seat)
    try expect(operation, as: newcomer, succeeds: succeeds)
    guard succeeds else { return }
    plays[index].model.take(seat, now: driver.clock)
    plays[index].isTaken = true
    counts["taken", default: 0] += 1
  }

  func talk(_ index: Int, _ seat: Int) throws {
    switch Int.random(in: 0..<7, using: &random) {
    case 0..<2: try ask(index, seat)
    case 2..<4: try reply(index, seat)
    case 4..<6: try resolve(index, seat)
    default: try cancel(index, seat)
    }
  }

  private func ask(_ index: Int, _ seat: Int) throws {
    let play = plays[index]
    var others = play.seats.indices.filter { $0 != seat && play.hasSeat($0) }
    others.shuffle(using: &random)
    others = Array(others.prefix(Int.random(in: 1...2, using: &random)))
    if others.isEmpty { return }
    var operation = OpenTurnExchange()
    (operation.context, operation.number) = (play.context, 1)
    operation.players = others.map { play.seats[$0] }
    // Odd enough that nothing else ends at the same moment.
    operation.lifetimeMilliseconds = 30_000 + Int64.random(in: 1...9_999, using: &random)
    operation.payload = Bytes(secret(for: Set(operation.players + [play.seats[seat]])))
    let succeeds = isHere(index, seat) && play.model.mayAsk(seat, others)
    try expect(operation, as: play.seats[seat], succeeds: succeeds)
    guard succeeds else { return }
    plays[index].model.ask(
      seat, others, operation.payload.array, lifetime: operation.lifetimeMilliseconds,
      now: driver.clock)
  }

  private func reply(_ index: Int, _ seat: Int) throws {
    let play = plays[index]
    let exchange = play.model.exchanges.randomElement(using: &random)
    // Mostly by somebody who is asked.
    let asked = exchange?.receivers.filter { exchange?.answered.contains($0) == false } ?? []
    let seat = chance(4, in: 5) ? asked.first ?? seat : seat
    var operation = AnswerTurnExchange()
    (operation.context, operation.number) = (play.context, 1)
    operation.exchange = exchange?.id ?? 1
    var readers = Set([play.seats[seat]])
    if let exchange { readers.insert(play.seats[exchange.player]) }
    operation.payload = Bytes(secret(for: readers))
    let place = isHere(index, seat) ? play.model.asked(operation.exchange, seat) : nil
    try expect(operation, as: play.seats[seat], succeeds: place != nil)
    guard let place else { return }
    counts["answered", default: 0] += 1
    change(index) { model, now in model.answer(place, seat, operation.payload.array, now: now) }
  }

  private func resolve(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    let play = plays[index]
    let seat = chance(4, in: 5) ? play.model.queue.first ?? seat : seat
    // Mostly one that can be resolved.
    let complete = chance(4, in: 5) ? play.model.exchanges.first { $0.isComplete } : nil
    guard let exchange = complete ?? play.model.exchanges.randomElement(using: &random)
    else { return }
    var operation = SaveTurnState()
    (operation.context, operation.number) = (play.context, 1)
    operation.version = try version(index)
    operation.state = Bytes([UInt8.random(in: 0...100, using: &random), 2])
    operation.resolved = [exchange.id]
    let mayResolve = exchange.isComplete && play.model.mayRead(exchange, seat)
    let succeeds = isHere(index, seat) && play.model.mayAct(seat) && mayResolve
    try expect(operation, as: play.seats[seat], succeeds: succeeds)
    guard succeeds else { return }
    counts["resolved", default: 0] += 1
    plays[index].model.exchanges.removeAll { $0.id == exchange.id }
    plays[index].model.save(operation.state?.array ?? [])
  }

  private func cancel(_ index: Int, _ seat: Int) throws {
    let play = plays[index]
    guard let exchange = play.model.exchanges.randomElement(using: &random) else { return }
    var operation = CancelTurnExchange()
    (operation.context, operation.number, operation.exchange) = (play.context, 1, exchange.id)
    let succeeds = isHere(index, seat) && play.model.isIn[seat] && exchange.player == seat
    try expect(operation, as: play.seats[seat], succeeds: succeeds)
    if succeeds { plays[index].model.exchanges.removeAll { $0.id == exchange.id } }
  }

  /// What a player sees of the exchanges, and reads in them.
  func checkExchanges(_ view: TurnGameView, _ play: Play, _ seat: Int) throws {
    let seen = play.model.exchanges.filter { play.model.mayRead($0, seat) }
    try same(view.info.exchanges.map(\.id), seen.map(\.id), "exchanges")
    for (found, wanted) in zip(view.info.exchanges, seen) {
      try same(found.player, play.seats[wanted.player], "who opened an exchange")
      try same(found.receivers, wanted.receivers.map { play.seats[$0] }, "receivers")
      try same(found.answered, wanted.answered.map { play.seats[$0] }, "who answered")
      try same(found.isComplete, wanted.isComplete, "complete exchange")
      try same(found.dueAt, wanted.due, "time of an exchange")
    }
    for exchange in play.model.exchanges {
      var read = ReadTurnExchange()
      (read.context, read.number, read.exchange) = (play.context, 1, exchange.id)
      let reply = try call(read, as: play.seats[seat])
      try same(reply != nil, play.model.mayRead(exchange, seat), "reader of an exchange")
      guard let reply else { continue }
      let isFull = exchange.isComplete || seat == exchange.player
      let answers = exchange.answered.filter { isFull || $0 == seat }
      try same(reply.request.array, exchange.words[exchange.player] ?? [], "request")
      try same(reply.answers.map(\.player), answers.map { play.seats[$0] }, "answers")
      try same(
        reply.answers.map(\.payload.array), answers.map { exchange.words[$0] ?? [] }, "words")
    }
  }

  /// What is said in a complete exchange is for all who read it.
  func revealExchanges(_ index: Int) {
    let play = plays[index]
    for exchange in play.model.exchanges where exchange.isComplete {
      counts["complete", default: 0] += 1
      for words in exchange.words.values {
        guard play.model.isSealed else {
          reveal(words)
          continue
        }
        let parts = play.seats.indices.filter(exchange.isPart).map { play.seats[$0] }
        for number in secrets(in: words) { readers[number] = Set(parts) }
      }
    }
  }
}
