import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct ChooseContextTests {
  let world = GroupWorld()

  private func choose(
    _ player: PlayerID = ann, _ filter: ChooseFilter = .none, _ bounds: ClosedRange<UInt32>? = nil
  ) throws -> [ContextID] {
    var operation = ChooseContexts()
    operation.filter = filter
    if let bounds {
      (operation.minParticipants, operation.maxParticipants) = (
        bounds.lowerBound, bounds.upperBound
      )
    }
    return try world.driver.ask(operation, as: player).contexts.map(\.context)
  }

  private func link(
    _ context: ContextID, _ board: String = "board", isLinked: Bool = true, challenges: UInt32,
    version: UInt64
  ) throws {
    var operation = LinkBoard()
    (operation.context, operation.board, operation.isLinked) = (context, board, isLinked)
    (operation.openChallenges, operation.version) = (challenges, version)
    try world.driver.call(operation, as: PlayerID(), kind: .service)
    try world.driver.deliverOwnEffects()
  }

  @Test(
    "1.2 bounds are right unless the least is above the greatest, which is then not 0",
    arguments: [
      (0, 0, nil), (3, 0, nil), (2, 2, nil), (0, 2, nil), (3, 2, "minParticipants"),
      (.max, 1, "minParticipants"),
    ] as [(UInt32, UInt32, String?)])
  func bounds(least: UInt32, greatest: UInt32, argument: String?) {
    var operation = ChooseContexts()
    (operation.minParticipants, operation.maxParticipants) = (least, greatest)
    #expect(operation.fault?.argument == argument)
    #expect(operation.fault.map { $0.code == .requiredArgument } ?? true)
    operation.filter = ChooseFilter(rawValue: 7)
    #expect(operation.fault?.argument == "filter" && operation.fault?.code == .invalidArgument)
  }

  @Test("1.3 no filter lets through all contexts that one is in or invited to, within the bounds")
  func sizes() throws {
    let solo = try world.driver.createSolo(ann).context
    let pair = try world.driver.createPair(ben, with: ann).context
    let group = try world.group(ann, ben, cho)
    world.driver.clock += 1
    try world.enter(pair, ann)
    #expect(try choose() == [pair, group, solo], "the most recently active first")
    #expect(try choose(ann, .none, 2...2) == [pair])
    #expect(try choose(ann, .none, 2...0x7fff_ffff) == [pair, group])
    #expect(try choose(ann, .none, 1...1) == [solo])
    #expect(try choose(dan).isEmpty)
  }

  @Test("1.3 1.8 existing challenges are those open on a linked board; late numbers are ignored")
  func challenges() throws {
    let (group, other) = (try world.group(ann, ben), try world.group(ann, cho))
    try link(group, challenges: 0, version: 1)
    #expect(try choose(ann, .existingChallenges).isEmpty)
    try link(group, challenges: 2, version: 5)
    try link(group, challenges: 0, version: 4)
    #expect(try choose(ann, .existingChallenges) == [group])
    #expect(
      try choose(ben, .existingChallenges) == [group] && choose(cho, .existingChallenges).isEmpty)
    try link(group, "second", challenges: 3, version: 1)
    try world.driver.restart()
    let info = try world.get(group, ben)
    #expect(info.openChallenges == 5)
    #expect(
      info.details?.boards
        == [LinkedBoard("board", openChallenges: 2), LinkedBoard("second", openChallenges: 3)])
    try link(group, isLinked: false, challenges: 0, version: 6)
    try link(group, "second", challenges: 0, version: 2)
    #expect(try choose(ann, .existingChallenges).isEmpty)
    #expect(try world.get(group, ann).details?.boards.map(\.board) == ["second"])
    try link(.sample(99), challenges: 1, version: 1)
    #expect(try choose(ann).count == 2 && world.get(other, ann).details?.boards == [])
  }

  @Test("1.3 7.2 a context knows so many linked boards, and no more")
  func linkedBoards() throws {
    let group = try world.group(ann, ben)
    for number in 0...ContextLimits.linkedBoardsMax {
      try link(group, "board\(number)", challenges: 1, version: 1)
    }
    #expect(try world.get(group, ann).details?.boards.count == ContextLimits.linkedBoardsMax)
  }

  @Test("1.3 new players only: none of the others has had a session in this game yet")
  func newPlayers() throws {
    world.book.new = [ben, cho]
    let solo = try world.driver.createSolo(ann).context
    let both = try world.create(ann, inviting: [ben, cho]).info.context
    let mixed = try world.create(ann, inviting: [ben, dan]).info.context
    let pair = CreatePairContext.self
    var operation = pair.init()
    operation.player = ben
    let paired = try world.ask(operation, as: ann, key: pairKey(ann, ben)).context
    #expect(try choose(ann, .newPlayersOnly) == [paired, both])
    #expect(try choose(ann).contains(solo) && choose(ann).contains(mixed))
    // The first session of one of them.
    var news = RecordFirstSession()
    news.player = ben
    try world.driver.call(news, as: PlayerID(), kind: .service)
    try world.driver.deliverOwnEffects()
    #expect(try choose(ann, .newPlayersOnly).isEmpty)
    #expect(try world.get(both, ann).newPlayers == 1)
    try world.leave(both, ben)
    #expect(try choose(ann, .newPlayersOnly) == [both], "without ben all are new")
  }

  @Test("1.3 who chooses is not new, though the own list has not heard of the session yet")
  func ownNewness() throws {
    world.book.new = [ben]
    var operation = CreatePairContext()
    operation.player = ben
    try world.ask(operation, as: ann, key: pairKey(ann, ben))
    #expect(try choose(ann, .newPlayersOnly).count == 1)
    #expect(try choose(ben, .newPlayersOnly).isEmpty, "ann has played for years")
  }

  @Test("1.3 who had the first session while the invitation was under way is new nowhere")
  func newPlayerRace() throws {
    world.book.new = [ben]
    var operation = CreateGroupContext()
    operation.players = [ben]
    let info = try world.driver.ask(
      operation, as: ann, key: RoutingKey(high: 1, low: 1), world.book
    ).info
    #expect(info.newPlayers == 1)
    var news = RecordFirstSession()
    news.player = ben
    try world.driver.call(news, as: PlayerID(), kind: .service)
    try world.driver.restart()
    try world.driver.deliverOwnEffects()
    #expect(try world.get(info.context, ann).newPlayers == 0)
    #expect(try choose(ann, .newPlayersOnly).isEmpty)
  }

  @Test("1.3 a first session is told to as many contexts as there are, in steps")
  func manyInvitations() throws {
    world.book.new = [ben]
    var contexts: [ContextID] = []
    for _ in 0..<70 { contexts.append(try world.create(ann, inviting: [ben]).info.context) }
    try world.driver.createSolo(ben)
    var news = RecordFirstSession()
    news.player = ben
    try world.driver.call(news, as: PlayerID(), kind: .service)
    let told = world.driver.effects.count { $0.opcode == NoteAppUser.opcode.rawValue }
    #expect(told <= 64)
    #expect(world.driver.runTimers().isEmpty)
    try world.driver.deliverOwnEffects()
    for context in contexts { #expect(try world.get(context, ann).newPlayers == 0) }
  }

  @Test("1.3 new contexts only: nothing was played in them yet")
  func newContexts() throws {
    let fresh = try world.driver.pair(ann, cho)
    world.driver.clock += 1
    let played = try world.driver.pair(ann, ben)
    try world.driver.join(played, as: ann, session: 1, seat: 1)
    #expect(try choose(ann, .newContextOnly) == [played, fresh])
    try world.driver.join(played, as: ben, session: 2, seat: 2)
    try world.driver.deliverOwnEffects()
    #expect(try choose(ann, .newContextOnly) == [fresh])
  }

  @Test("1.3 pages are in one order and complete, whatever the filter leaves out", arguments: 1...5)
  func pages(limit: UInt32) throws {
    for key in 1...23 {
      if key % 3 != 0 { world.driver.clock += 10 }
      try world.driver.createSolo(ann, key: UInt64(key))
      if key % 4 == 0 { _ = try world.group(ann, ben) }
    }
    var operation = ChooseContexts()
    (operation.minParticipants, operation.limit) = (2, limit)
    var seen: [ContextID] = []
    repeat {
      let page = try world.driver.ask(operation, as: ann)
      #expect(page.contexts.count <= Int(limit))
      seen += page.contexts.map(\.context)
      operation.cursor = page.cursor
    } while !operation.cursor.isEmpty
    let all = try world.list(ann).filter { $0.size > 1 }.map(\.context)
    #expect(seen == all && all.count == 5)
    operation.cursor = "x"
    #expect(failure { try world.driver.ask(operation, as: ann) }?.argument == "cursor")
    (operation.cursor, operation.limit) = ("", 101)
    #expect(failure { try world.driver.ask(operation, as: ann) }?.argument == "limit")
  }

  @Test("1.3 one call looks at so many contexts, and its cursor goes on from there")
  func scan() throws {
    var record = RecordContext()
    (record.player, record.isMember) = (ann, true)
    for number in 1...1_501 {
      record.info.context = .sample(UInt64(number))
      record.info.lastActiveAt = Int64(number)
      record.info.size = number == 1 ? 2 : 1
      try world.driver.call(record, as: PlayerID(), kind: .service)
    }
    var operation = ChooseContexts()
    operation.minParticipants = 2
    let first = try world.driver.ask(operation, as: ann)
    #expect(first.contexts.isEmpty && !first.cursor.isEmpty)
    operation.cursor = first.cursor
    let second = try world.driver.ask(operation, as: ann)
    #expect(second.contexts.map(\.context) == [.sample(1)] && second.cursor.isEmpty)
  }
}
