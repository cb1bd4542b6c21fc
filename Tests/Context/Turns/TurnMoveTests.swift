import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnMoveTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  @Test("1.9 a game starts with its starter active and the others invited, who are told")
  func start() throws {
    let info = try world.start(accepts: false)
    #expect(info.number == 1 && info.version == 1 && info.phase == .active)
    #expect(info.seats.map(\.state) == [.active, .invited, .invited])
    #expect(info.next == [ann, ben, cho])
    #expect(info.dueAt == world.driver.clock + 7 * day)
    let invited = try world.driver.streamEvents(TurnGameInvitation.self)
    #expect(invited.map(\.player) == [ben, cho] && invited.allSatisfy { $0.event.inviter == ann })
    #expect(try world.read(ben).text == "s0")
    #expect(try world.list(ben).map(\.isInvited) == [true])
    #expect(try world.answer(ben).seats[1].state == .active)
    #expect(try world.answer(cho, accept: false).seats[2].state == .declined)
    #expect(try world.list(ann).map(\.context) == [world.context])
    #expect(try world.list(ben).isEmpty && world.list(ben, .all).map(\.isWaiting) == [false])
    #expect(try world.list(cho, .all).isEmpty && world.read(cho).state == nil)
    #expect(failure { _ = try world.moves(cho) }?.code == .notAllowed)
  }

  @Test("1.9 the arguments of a start are checked, and one game is under way at a time")
  func startArguments() throws {
    func refusal(_ change: @escaping (inout StartTurnGame) -> Void) -> Failure? {
      failure { try world.start(accepts: false, change) }
    }
    #expect(refusal { $0.context = ContextID() }?.code == .requiredArgument)
    #expect(refusal { $0.players = [ann] }?.argument == "players")
    #expect(refusal { $0.players = [ann, ann] }?.argument == "players")
    #expect(refusal { $0.openSeats = .max }?.argument == "players")
    #expect(refusal { $0.players = [ann, dan] }?.argument == "players")
    #expect(refusal { $0.options.turnTimeoutMilliseconds = 1 }?.argument == "options")
    #expect(refusal { $0.next = [dan] }?.argument == "next")
    let large = Bytes([UInt8](repeating: 1, count: TurnLimits.stateSizeMax + 1))
    #expect(refusal { $0.state = large }?.argument == "state")
    #expect(refusal { $0.rematchOf = 1 }?.argument == "rematchOf")
    #expect(world.driver.rows[32, default: [:]].isEmpty)
    try world.start()
    #expect(refusal { _ in }?.code == .conflict)
  }

  @Test("1.9 a move passes the turn in order, or to whom it names")
  func turns() throws {
    try world.start()
    world.driver.hints = []
    let first = try world.move(ann, "a1", state: "s1")
    #expect(first.next == [ben, cho, ann] && first.version == 2 && first.moveCount == 1)
    let passed = try world.driver.streamEvents(TurnPassed.self)
    #expect(passed.map(\.player) == [ben] && passed.first?.event.player == ann)
    #expect(try world.driver.takeHints(YourTurn.self).map(\.player) == [ben])
    let changed = try world.driver.takeHints(TurnGameChanged.self).map(\.player)
    #expect(changed == [ann, cho])
    #expect(try world.list(ben).count == 1 && world.list(ann).isEmpty)
    #expect(try world.move(ben, "b1", next: [ann, ben]).next == [ann, ben])
    #expect(try world.read(cho).text == "s1")
    #expect(try world.moves(cho).map(\.text) == ["a1", "b1"])
    #expect(try world.moves(cho, from: 2, limit: 1).map(\.text) == ["b1"])
    #expect(try world.moves(cho, from: 0)[0].kind == .start)
    #expect(failure { try world.move(cho, "c1") }?.code == .notAllowed)
    #expect(failure { try world.move(ann, "a2", next: [dan]) }?.argument == "next")
    #expect(failure { _ = try world.moves(cho, limit: 65) }?.argument == "limit")
  }

  @Test("1.9 a stale move gets a conflict with the current state, and nothing is lost")
  func stale() throws {
    try world.start { $0.hidden = [.init(ann, "ann's"), .init(ben, "ben's")] }
    try world.move(ann, "a1", state: "s1", next: [ann])
    let refused = failure { try world.move(ann, "a2", state: "other", version: 1) }
    #expect(refused?.code == .conflict && refused?.argument == "version")
    let view = try TurnGameView(decoding: refused?.detail.array ?? [])
    #expect(view.text == "s1" && view.info.version == 2 && view.hiddenText == "ann's")
    #expect(view == (try world.read(ann)))
    #expect(try world.moves(ann).map(\.text) == ["a1"])
    let outOfTurn = failure { try world.move(ben, "b", version: 1) }
    #expect(try TurnGameView(decoding: outOfTurn?.detail.array ?? []).hiddenText == "ben's")
  }

  @Test("7.1 1.9 a repeated move is applied once and answered as at first, also after a restart")
  func repeated() throws {
    try world.start()
    let key = IdempotencyKey(instance: 9, counter: 1, floor: 1)
    let first = try world.move(ann, "a1", state: "s1", version: 1, idempotency: key)
    try world.move(ben, "b1", state: "s2")
    try world.driver.restart()
    let again = try world.move(ann, "a1", state: "s1", version: 1, idempotency: key)
    #expect(first == again)
    #expect(try world.moves(ann).map(\.text) == ["a1", "b1"])
    #expect(try world.read(cho).text == "s2")
  }

  @Test("1.9 saving changes the state and not the turn")
  func save() throws {
    try world.start()
    let info = try world.save(ann, "saved")
    #expect(info.version == 2 && info.next.first == ann && info.moveCount == 0)
    try world.save(ann, "saved again")
    #expect(try world.read(ben).text == "saved again")
    #expect(failure { try world.save(ben, "x") }?.code == .notAllowed)
    // The state that nobody can go back to is gone; that of the start is not.
    #expect(world.driver.rows[34]?.count == 2)
  }

  @Test("1.9 a player quits in turn and out of it, and the last one left has won")
  func quit() throws {
    try world.start()
    let outOfTurn = try world.quit(cho)
    #expect(outOfTurn.next.first == ann && outOfTurn.seats[2].outcome == .quit)
    #expect(try world.move(ann, "a1").next == [ben, ann])
    #expect(try world.quit(cho) == world.read(cho).info)
    let ended = try world.quit(ben)
    #expect(ended.phase == .ended && ended.next.isEmpty && ended.endedAt == world.driver.clock)
    #expect(ended.seats.map(\.outcome) == [.won, .quit, .quit])
    #expect(ended.seats.allSatisfy { $0.state == .done })
    #expect(try Set(world.driver.streamEvents(TurnGameEnded.self).map(\.player)) == [ann, cho])
    #expect(try world.list(ann, .all).isEmpty)
    #expect(failure { try world.move(ann, "a2") }?.code == .matchEnded)
  }

  @Test("1.9 quitting in turn changes the state in the same step, once, for the version seen")
  func quitWithState() throws {
    try world.start()
    let version = try world.read(ann).info.version
    #expect(failure { try world.quit(ben, state: "b", version: version) }?.code == .notAllowed)
    #expect(failure { try world.quit(ann, state: "b") }?.code == .conflict)
    let info = try world.quit(ann, next: [cho], state: "a left", version: version)
    #expect(info.next.first == cho && info.seats[0].state == .done)
    #expect(try world.read(cho).state == Bytes(Array("a left".utf8)))
    // A call again is for a version that is gone, and yet no error.
    #expect(try world.quit(ann, next: [cho], state: "twice", version: version) == info)
    #expect(try world.read(cho).state == Bytes(Array("a left".utf8)))
  }

  @Test("1.9 quitting in turn passes it to the next one named")
  func quitNext() throws {
    try world.start()
    #expect(failure { try world.quit(ann, next: [ann]) }?.argument == "next")
    #expect(try world.quit(ann, next: [cho]).next == [cho])
  }

  @Test("1.9 a game ends with an outcome for each player still in it")
  func end() throws {
    try world.start()
    try world.quit(cho)
    #expect(failure { try world.end(ben, [(ann, .lost), (ben, .won)]) }?.code == .notAllowed)
    #expect(failure { try world.end(ann, [(ann, .won)]) }?.argument == "outcomes")
    #expect(failure { try world.end(ann, [(ann, .won), (ben, .none)]) }?.argument == "outcomes")
    let info = try world.end(ann, [(ann, .won), (ben, .lost)], payload: "mate")
    #expect(info.seats.map(\.outcome) == [.won, .lost, .quit] && info.moveCount == 1)
    #expect(try world.moves(ben).map(\.text) == ["mate"])
    #expect(world.timers.isEmpty)
  }

  @Test("1.9 a rematch is a new game of the same players, which each answers")
  func rematch() throws {
    try world.start()
    try world.move(ann, "a1", state: "s1")
    try world.quit(ann)
    try world.quit(ben)
    #expect(failure { try world.start([ben, cho], { $0.rematchOf = 1 }) }?.argument == "rematchOf")
    let info = try world.start([ben, cho, ann], accepts: false) { $0.rematchOf = 1 }
    #expect(info.number == 2 && info.seats.map(\.state) == [.active, .invited, .invited])
    #expect(info.next == [ben, cho, ann])
    // The game before it can still be read.
    #expect(try world.moves(ann, number: 1).map(\.text) == ["a1"])
    #expect(try world.read(ann, number: 1).text == "s1")
    #expect(failure { _ = try world.read(ann, number: 3) }?.argument == "number")
    #expect(try world.read(ann, number: 0).info.number == 2)
  }

  @Test("1.9 an open seat is matching until a player of the context takes it")
  func openSeat() throws {
    let info = try world.start([ann, ben]) { $0.openSeats = 1 }
    #expect(info.seats[2].state == .matching && info.seats[2].player.isNil)
    #expect(try world.move(ann, "a1").next == [ben, ann])
    #expect(try world.answer(cho).seats[2].player == cho)
    #expect(try world.move(ben, "b1").next == [cho, ann, ben])
    #expect(failure { try world.answer(dan) }?.code == .notFound)
  }

  @Test("1.8 leaving the context quits its game and passes the turn; nobody is stranded")
  func leave() throws {
    try world.start()
    try world.driver.leave(world.context, as: ann)
    #expect(try world.read(ben).info.next == [ben, cho])
    #expect(try world.read(ben).info.seats[0].outcome == .quit)
    #expect(failure { _ = try world.read(ann) }?.code == .notFound)
    try world.driver.leave(world.context, as: ben)
    #expect(try world.read(cho).info.phase == .ended)
    #expect(try world.read(cho).info.seats[2].outcome == .won)
    try world.driver.leave(world.context, as: cho)
    world.settle()
    for table in UInt16(32)...39 { #expect(world.driver.rows[table, default: [:]].isEmpty) }
    #expect(world.timers.isEmpty)
  }

  @Test("1.4 1.8 a pair context that opens again has nothing of the games it had before")
  func reopened() throws {
    world.context = try world.driver.pair(ann, ben)
    for isSweptBefore in [true, false] {
      try world.start([ann, ben], state: "old")
      try world.move(ann, "old")
      try world.driver.leave(world.context, as: ann)
      try world.driver.leave(world.context, as: ben)
      #expect(try world.list(ann, .all).isEmpty && world.list(ben, .all).isEmpty)
      if isSweptBefore { world.settle() }
      try world.driver.createPair(ben, with: ann)
      try world.driver.enter(world.context, as: ann)
      for number: UInt32 in [0, world.number] {
        #expect(failure { _ = try world.read(ann, number: number) }?.argument == "number")
      }
      let info = try world.start([ann, ben], state: "new")
      #expect(info.number == (isSweptBefore ? 2 : 4), "what is told of old ones speaks of no other")
      world.settle()
      #expect(try world.read(ben).text == "new")
      #expect(try world.moves(ben).isEmpty)
      #expect(world.driver.rows[33]?.count == 1 && world.driver.rows[34]?.count == 1)
      try world.quit(ann)
      try world.driver.leave(world.context, as: ann)
      try world.driver.leave(world.context, as: ben)
      world.settle()
      try world.driver.createPair(ben, with: ann)
      try world.driver.enter(world.context, as: ann)
    }
  }

  @Test("1.9 old games leave the store in steps, the last few stay")
  func sweep() throws {
    let many = TurnLimits.finishedGamesMax + 3
    for index in 1...many {
      try world.start([ann, ben])
      for turn in 0..<40 { try world.move(turn % 2 == 0 ? ann : ben, "\(index)") }
      try world.quit(ann)
    }
    world.settle()
    let kept = world.driver.rows[33, default: [:]].count
    #expect(kept == (TurnLimits.finishedGamesMax + 1) * 41)
    #expect(failure { _ = try world.read(ann, number: 2) }?.argument == "number")
    #expect(try world.moves(ann, number: 3).first?.text == "3")
  }

  @Test("1.9 a game has a bounded number of moves, and can then still be ended")
  func full() throws {
    try world.start([ann, ben])
    var version: UInt64 = 1
    for turn in 0..<TurnLimits.movesMax {
      version = try world.move(turn % 2 == 0 ? ann : ben, "m", version: version).version
    }
    #expect(failure { try world.move(ann, "m") }?.code == .limitReached)
    #expect(try world.end(ann, [(ann, .tied), (ben, .tied)]).phase == .ended)
  }
}

extension TurnHiddenState {
  init(_ player: PlayerID, _ text: String) {
    self.init()
    self.player = player
    hidden = Bytes(Array(text.utf8))
  }
}
