import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnSecretTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  @Test("1.11 a hidden state is returned to its player alone")
  func hidden() throws {
    try world.start { $0.hidden = [.init(ann, "H-ann"), .init(ben, "H-ben")] }
    #expect(try world.read(ann).hiddenText == "H-ann")
    #expect(try world.read(ben).hiddenText == "H-ben")
    #expect(try world.read(cho).hidden == nil)
    try world.move(ann, "a1", hidden: "H-ann-2")
    #expect(try world.read(ann).hiddenText == "H-ann-2")
    #expect(try world.read(ben).hiddenText == "H-ben")
  }

  @Test("1.11 the moves of a sealed round are revealed together, nobody's before")
  func sealed() throws {
    try world.start { $0.options.hasSealedRounds = true }
    #expect(failure { try world.move(ann, "open") }?.code == .notAllowed)
    #expect(failure { try world.seal(ann, "X", round: 2) }?.argument == "round")
    let first = try world.seal(cho, "C1", round: 1)
    #expect(first.seats.map(\.hasMoved) == [false, false, true] && first.version == 1)
    #expect(first.moveCount == 0)
    #expect(failure { try world.seal(cho, "C2", round: 1) }?.argument == "round")
    try world.seal(ann, "A1", round: 1)
    #expect(try world.moves(ben).isEmpty && world.list(ben).count == 1)
    try world.driver.restart()
    let last = try world.seal(ben, "B1", round: 1)
    #expect(last.round == 2 && last.moveCount == 3 && last.seats.allSatisfy { !$0.hasMoved })
    #expect(try world.moves(ann).map(\.text) == ["A1", "B1", "C1"])
    #expect(try Set(world.moves(ann).map(\.version)) == [last.version])
    let told = try world.driver.streamEvents(TurnPassed.self)
    #expect(told.map(\.player) == [ann, cho] && told.allSatisfy { $0.event.round == 2 })
    #expect(world.driver.rows[35, default: [:]].isEmpty)
    #expect(try world.save(cho, "after round 1").version == last.version + 1)
  }

  @Test("1.11 a round that times out is revealed without those who have not moved")
  func sealedTimeout() throws {
    try world.start { $0.options.hasSealedRounds = true }
    try world.seal(ben, "B1", round: 1)
    try world.pass(7 * day)
    let info = try world.read(ann).info
    #expect(info.round == 2 && info.moveCount == 1)
    #expect(try world.moves(ann).map(\.text) == ["B1"])
    try world.pass(30 * day)
    #expect(try world.read(ann).info.round == 2)
    #expect(try world.read(ann).info.dueAt == 0)
    #expect(world.timers.isEmpty)
    // Whoever moves then gives the others their time again.
    _ = try world.driver.streamEvents(TurnPassed.self)
    #expect(try world.seal(cho, "C2", round: 2).dueAt == world.driver.clock + 7 * day)
    #expect(try world.driver.streamEvents(TurnPassed.self).isEmpty)
  }

  @Test("1.11 a game that ends in an open round reveals it: no sealed move is lost")
  func sealedEnd() throws {
    try world.start { $0.options.hasSealedRounds = true }
    try world.seal(ben, "B1", round: 1)
    try world.quit(ben)
    #expect(try world.moves(ann).isEmpty)
    try world.end(ann, [(ann, .tied), (cho, .tied)])
    #expect(try world.moves(ann).map(\.text) == ["B1"])
  }

  @Test("1.11 1.8 the player whom a round waits for leaves: the round is revealed")
  func sealedQuit() throws {
    try world.start { $0.options.hasSealedRounds = true }
    try world.seal(ann, "A1", round: 1)
    try world.seal(ben, "B1", round: 1)
    try world.driver.leave(world.context, as: cho)
    #expect(try world.moves(ann).map(\.text) == ["A1", "B1"])
    #expect(try world.read(ann).info.round == 2)
  }

  @Test("1.11 conditional moves are played at once, kept secret, and dropped by another move")
  func conditional() throws {
    let world = try TurnWorld([ann, ben])
    try world.start()
    #expect(failure { try world.foresee(ann, ["x>y"]) }?.code == .notAllowed)
    try world.foresee(ben, ["e4>e5>f4>f5", "e4>e5>d4>d5", "c4>c5"], states: true)
    #expect(try world.read(ben).info.hasConditionalMoves)
    #expect(try !world.read(ann).info.hasConditionalMoves)
    let info = try world.move(ann, "e4", state: "after e4")
    #expect(info.next.first == ann && info.moveCount == 2)
    #expect(try world.read(ann).text == "e5")
    #expect(try world.moves(ann).map(\.kind) == [.plain, .conditional])
    #expect(try world.driver.streamEvents(TurnPassed.self).map(\.player) == [ann])
    #expect(try world.read(ben).info.hasConditionalMoves)
    try world.move(ann, "d4")
    #expect(try world.moves(ann).map(\.text) == ["e4", "e5", "d4", "d5"])
    #expect(try !world.read(ben).info.hasConditionalMoves)
    #expect(world.driver.rows[36, default: [:]].isEmpty)
    try world.foresee(ben, ["h4>h5"])
    try world.move(ann, "g4")
    #expect(try world.read(ann).info.next.first == ben)
    #expect(world.driver.rows[36, default: [:]].isEmpty)
  }

  @Test("1.11 lines of both players are played out in one step")
  func chain() throws {
    let world = try TurnWorld([ann, ben])
    try world.start()
    try world.foresee(ben, ["1>2>3>4"])
    try world.move(ann, "0")
    try world.foresee(ann, ["2>3>4>5"])
    try world.move(ben, "x")
    try world.foresee(ben, ["1>2>3>4"])
    try world.move(ann, "y")
    try world.foresee(ann, ["2>3"])
    #expect(failure { try world.move(ann, "1") }?.code == .notAllowed)
    try world.move(ben, "2")
    #expect(try world.moves(ann).map(\.text) == ["0", "x", "y", "2", "3"])
    #expect(try world.read(ben).info.next.first == ben)
  }

  @Test("1.11 conditional moves are bounded, and foresee no state among more than two")
  func conditionalBounds() throws {
    try world.start()
    #expect(failure { try world.foresee(ben, ["a>b"], states: true) }?.argument == "lines")
    let many = Array(repeating: "a>b", count: TurnLimits.conditionalLinesMax + 1)
    #expect(failure { try world.foresee(ben, many) }?.argument == "lines")
    try world.foresee(ben, ["a>b"])
    try world.foresee(cho, ["b>c"])
    try world.move(ann, "a")
    #expect(try world.moves(ann).map(\.text) == ["a", "b", "c"])
  }

  @Test("1.11 an undo by consent brings back state, hidden states, turn, next list and clocks")
  func undo() throws {
    try world.start {
      $0.options.playerClockMilliseconds = 100_000
      $0.hidden = [.init(ben, "H0")]
    }
    try world.pass(1_000)
    try world.move(ann, "a1", state: "s1", next: [ben, ann])
    let before = try world.read(ben)
    try world.pass(2_000)
    try world.move(ben, "b1", state: "s2", hidden: "H1", next: [cho])
    try world.move(cho, "c1", state: "s3")
    #expect(failure { try world.propose(ann, .undo, move: 3) }?.argument == "move")
    try world.propose(cho, .undo, move: 1)
    try world.agree(ann)
    let undone = try world.agree(ben)
    #expect(undone.moveCount == 1 && undone.next == [ben, ann])
    #expect(undone.seats == before.info.seats && undone.version > before.info.version)
    #expect(try world.read(ben).text == "s1" && world.read(ben).hiddenText == "H0")
    #expect(try world.moves(ann).map(\.text) == ["a1"])
    let ends = try world.driver.streamEvents(TurnProposalChanged.self).filter { !$0.event.isOpen }
    #expect(Set(ends.map(\.player)) == [ann, cho] && ends.allSatisfy { $0.event.isAccepted })
    try world.move(ben, "b2", state: "s4")
    #expect(try world.moves(ann).map(\.text) == ["a1", "b2"])
    // One state for each position, and the hidden one.
    #expect(world.driver.rows[34]?.count == 4)
  }

  @Test("1.11 an undo goes back to the start, large states too, and no further than is kept")
  func undoLarge() throws {
    let world = try TurnWorld([ann, ben])
    let pad = String(repeating: "x", count: 2_000)
    try world.start(state: "0" + pad)
    let count = TurnLimits.undoDepthMax + 20
    for turn in 1...count {
      let player = turn % 2 == 1 ? ann : ben
      try world.move(player, "m\(turn)", state: "\(turn)" + pad, hidden: "h\(turn)" + pad)
    }
    #expect(world.driver.rows[34, default: [:]].count <= TurnLimits.largeStatesMax + 3)
    let deepest = UInt32(count - TurnLimits.undoDepthMax)
    #expect(failure { try world.propose(ann, .undo, move: deepest - 1) }?.argument == "move")
    try world.propose(ann, .undo, move: deepest)
    try world.agree(ben)
    #expect(try world.read(ann).text == "\(deepest)" + pad)
    #expect(try world.read(ben).hiddenText == "h\(deepest)" + pad)
    #expect(try world.read(ann).hiddenText == "h\(deepest - 1)" + pad)
  }

  @Test("1.11 an undo finds a state that stood for long, whatever came after it")
  func undoLongStanding() throws {
    let world = try TurnWorld([ann, ben])
    let pad = String(repeating: "x", count: 2_000)
    try world.start(state: "0" + pad)
    for turn in 1...40 { try world.move(turn % 2 == 1 ? ann : ben, "m", hidden: "\(turn)" + pad) }
    try world.move(ann, "m41", state: "41" + pad)
    try world.propose(ann, .undo, move: 40)
    try world.agree(ben)
    #expect(try world.read(ann).text == "0" + pad)
  }

  @Test("1.11 an undo finds the hidden state of a player who has not moved for long")
  func undoLongHidden() throws {
    let pad = String(repeating: "x", count: 2_000)
    try world.start { $0.hidden = [.init(cho, "dealt" + pad)] }
    for turn in 1...40 {
      let (mover, other) = turn % 2 == 1 ? (ann, ben) : (ben, turn == 40 ? cho : ann)
      try world.move(mover, "m", hidden: "\(turn)" + pad, next: [other])
    }
    try world.move(cho, "m41", hidden: "new" + pad)
    try world.propose(ann, .undo, move: 40)
    try world.agree(ben)
    try world.agree(cho)
    #expect(try world.read(cho).hiddenText == "dealt" + pad)
  }

  @Test("1.11 hidden states that no undo can bring back are not kept")
  func hiddenBound() throws {
    try world.start()
    for turn in 0..<60 { try world.move([ann, ben, cho][turn % 3], "m", hidden: "\(turn)") }
    #expect(world.driver.rows[34, default: [:]].count <= TurnLimits.largeStatesMax + 4)
  }

  @Test("1.11 games without undo, and those with sealed rounds, refuse it")
  func noUndo() throws {
    try world.start { $0.options.allowsUndo = false }
    try world.move(ann, "a1")
    #expect(failure { try world.propose(ann, .undo) }?.argument == "kind")
  }

  @Test("1.11 a spectator sees what is public, and a stranger to the game only its number")
  func spectators() throws {
    try world.start([ann, ben]) {
      $0.options.allowsSpectators = true
      $0.hidden = [.init(ann, "H-ann")]
    }
    #expect(try world.read(cho, number: 0).info.number == 1)
    #expect(try world.read(cho).state == nil)
    #expect(failure { _ = try world.moves(cho) }?.code == .notAllowed)
    #expect(try world.watch(cho).spectatorCount == 1)
    _ = try world.driver.takeHints(TurnGameChanged.self)
    try world.move(ann, "a1", state: "s1")
    #expect(try world.driver.takeHints(TurnGameChanged.self).map(\.player) == [ann, cho])
    #expect(try world.read(cho).text == "s1" && world.read(cho).hidden == nil)
    #expect(try world.moves(cho).map(\.text) == ["a1"])
    #expect(failure { try world.move(cho, "x") }?.code == .notAllowed)
    #expect(failure { try world.watch(ann) }?.code == .notAllowed)
    try world.watch(cho, false)
    #expect(try world.read(cho).state == nil)
    #expect(failure { try world.watch(dan) }?.code == .notFound)
  }

  @Test("1.11 a game without spectators has none")
  func noSpectators() throws {
    try world.start([ann, ben])
    #expect(failure { try world.watch(cho) }?.code == .notAllowed)
  }

  @Test("1.11 a fork begins in a new context with that position, its moves and nobody's secrets")
  func fork() throws {
    try world.start {
      $0.options.playerClockMilliseconds = 100_000
      $0.hidden = [.init(ann, "H-ann")]
    }
    for turn in 0..<21 {
      try world.pass(1_000)
      try world.move([ann, ben, cho][turn % 3], "m\(turn + 1)", state: "s\(turn + 1)")
    }
    let source = world.context
    let position = try world.moves(ann, from: 20, limit: 1)[0]
    world.context = try world.fork(cho, at: 20)
    #expect(world.context != source)
    let view = try world.read(cho)
    #expect(view.text == "s20" && view.info.moveCount == 20 && view.info.phase == .active)
    #expect(view.info.next == position.next && view.info.next.first == cho)
    #expect(view.info.seats.map(\.clockMilliseconds) == position.clocks)
    #expect(view.info.seats.map(\.state) == [.invited, .invited, .active])
    #expect(try world.read(ann).hidden == nil)
    #expect(try world.moves(cho).map(\.text) == (1...20).map { "m\($0)" })
    #expect(
      try world.driver.streamEvents(TurnGameInvitation.self).map(\.player).suffix(2) == [ann, ben])
    try world.move(cho, "forked", state: "f")
    #expect(failure { try world.propose(cho, .undo, move: 19) }?.argument == "move")
    try world.answer(ann)
    try world.answer(ben)
    try world.propose(ann, .undo, move: 20)
    try world.agree(ben)
    try world.agree(cho)
    #expect(try world.read(ann).text == "s20")
    world.context = source
    #expect(try world.read(ann).text == "s21")
    #expect(world.timers.count == 2)
  }

  @Test("1.11 a fork is checked: its players, its move, and who asks")
  func forkArguments() throws {
    try world.start([ann, ben]) { $0.options.allowsSpectators = true }
    try world.move(ann, "a1")
    #expect(failure { _ = try world.fork(cho, at: 1, [cho, ben]) }?.code == .notAllowed)
    try world.watch(cho)
    #expect(failure { _ = try world.fork(cho, at: 2, [cho, ben]) }?.argument == "move")
    #expect(failure { _ = try world.fork(cho, at: 1, [ann, ben]) }?.argument == "players")
    #expect(failure { _ = try world.fork(cho, at: 1, [cho]) }?.argument == "players")
    world.context = try world.fork(cho, at: 1, [ann, cho])
    #expect(try world.read(cho).info.next.first == cho)
  }

  @Test("1.11 a fork of sealed rounds begins after a whole round")
  func forkSealed() throws {
    try world.start([ann, ben]) { $0.options.hasSealedRounds = true }
    for round in UInt32(1)...2 {
      try world.seal(ann, "A\(round)", round: round)
      try world.seal(ben, "B\(round)", round: round)
    }
    try world.seal(ann, "secret", round: 3)
    #expect(failure { _ = try world.fork(ann, at: 1, [ann, ben]) }?.argument == "move")
    world.context = try world.fork(ann, at: 2, [ann, ben])
    #expect(try world.read(ann).info.round == 2)
    #expect(try world.read(ann).info.seats.allSatisfy { !$0.hasMoved })
  }

  @Test("2.9 nothing new between players of whom one blocks the other; a running game goes on")
  func blocks() throws {
    for (blocker, blocked) in [(ann, ben), (ben, ann)] {
      let world = try TurnWorld([ann, ben, cho])
      world.blocks = [blocker: [blocked]]
      #expect(failure { try world.start() }?.code == .notReachable)
      world.blocks = [:]
      try world.start(accepts: false)
      world.blocks = [blocker: [blocked]]
      #expect(failure { try world.answer(ben) }?.code == .notReachable)
      world.blocks = [:]
      try world.answer(ben)
      try world.answer(cho)
      world.blocks = [blocker: [blocked]]
      #expect(failure { _ = try world.ask(ann, [ben], "x") }?.code == .notReachable)
      #expect(failure { try world.remind(ben, [ann]) }?.code == .notReachable)
      #expect(failure { _ = try world.fork(ann, at: 0) }?.code == .notReachable)
      _ = try world.ask(ann, [cho], "x")
      #expect(try world.move(ann, "a1").next.first == ben)
      try world.move(ben, "b1")
      #expect(try world.moves(ben).count == 2)
      try world.quit(cho)
      try world.quit(ben)
      #expect(failure { try world.start { $0.rematchOf = 1 } }?.code == .notReachable)
    }
  }

  @Test("2.9 nobody watches a game of a player whom they block, or who blocks them")
  func blockedSpectator() throws {
    try world.start([ann, ben]) { $0.options.allowsSpectators = true }
    for pair in [(ann, cho), (cho, ben)] {
      world.blocks = [pair.0: [pair.1]]
      #expect(failure { try world.watch(cho) }?.code == .notReachable)
    }
  }

  @Test("1.9 1.11 strangers, those who left and those without a seat get nothing")
  func strangers() throws {
    try world.start([ann, ben])
    let calls: [(PlayerID) throws -> Void] = [
      { try self.world.move($0, "x", version: 1) }, { try self.world.quit($0) },
      { try self.world.resume($0) }, { try self.world.propose($0, .pause) },
      { _ = try self.world.ask($0, [ann], "x") }, { _ = try self.world.moves($0) },
      { try self.world.remind($0, [ann]) }, { _ = try self.world.readExchange($0, 1) },
      { try self.world.watch($0) }, { _ = try self.world.fork($0, at: 0, [$0, ben]) },
    ]
    for call in calls {
      #expect(failure { try call(cho) }?.code == .notAllowed)
      #expect(failure { try call(dan) }?.code == .notFound)
    }
    try world.driver.leave(world.context, as: cho)
    for call in calls { #expect(failure { try call(cho) }?.code == .notFound) }
  }

  @Test("1.9 the list is paged, waiting games first and the longest waiting ahead")
  func pages() throws {
    for index in UInt64(0)..<7 {
      world.context = .sample(1_000 + index)
      try world.open(world.context, [ann, ben])
      try world.start([ann, ben])
      if index % 2 == 0 { try world.move(ann, "a") }
      world.driver.clock += 10
    }
    var operation = ListTurnGames()
    (operation.filter, operation.limit) = (.all, 2)
    var seen: [TurnListEntry] = []
    repeat {
      let page = try world.driver.call(operation, as: ann)
      seen += page.games
      operation.cursor = page.cursor
    } while !operation.cursor.isEmpty
    #expect(seen.map(\.isWaiting) == [true, true, true, false, false, false, false])
    #expect(seen.map(\.context).prefix(3) == [.sample(1_001), .sample(1_003), .sample(1_005)])
    #expect(try world.list(ann).count == 3)
    operation.cursor = "x"
    #expect(failure { try world.driver.call(operation, as: ann) }?.argument == "cursor")
    operation.limit = 101
    #expect(failure { try world.driver.call(operation, as: ann) }?.argument == "limit")
  }
}
