import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore
@testable import Domain

@Suite struct MatchRosterTests {
  let driver = ContextDriver()
  let players = (1...UInt64(16)).map { PlayerID.sample($0) }

  /// A group of players, all of whom are in it.
  func group(_ players: [PlayerID], context: ContextID = .sample(50)) throws -> ContextID {
    let context = try driver.matched(players, context: context)
    var rows = driver.rows
    for (key, bytes) in rows[ContextRow.tableID] ?? [:] {
      var row = try ContextRow(decoding: bytes)
      row.form = .group
      rows[ContextRow.tableID]?[key] = row.encoded
    }
    try driver.restore(rows)
    return context
  }

  /// Joins as a player whom some of the others block, or who blocks them.
  @discardableResult
  func join(
    _ context: ContextID, _ player: PlayerID, blocks: [PlayerID] = [],
    blockedBy: [PlayerID] = [], change: (inout JoinMatch) -> Void = { _ in }
  ) throws -> JoinMatch.Reply {
    var operation = JoinMatch()
    operation.context = context
    operation.seat = 100 + player.low
    change(&operation)
    var reply = FetchBlocks.Reply()
    reply.blocked = blocks
    var facts = [Fact(FetchBlocks.self, at: player, reply)]
    for other in players {
      var reachable = FetchPlayer.Reply()
      reachable.isReachable = !blockedBy.contains(other)
      facts.append(Fact(FetchPlayer.self, at: other, reachable))
    }
    return try driver.call(
      operation, as: player, facts: Facts(facts), session: player.low)
  }

  @Test("3.4 a join that is wrong in more than one way hears of the first, in the page's order")
  func faultOrder() throws {
    let (context, alone) = (
      try group(Array(players.prefix(2))), try group([players[2]], context: .sample(51))
    )
    let stranger = PlayerID.sample(99)
    let cursor = MatchCursor(player: players[1], seat: 1, through: 0)
    let twice = [cursor, cursor]
    func fault(_ change: (inout JoinMatch) -> Void) -> String? {
      failure { try join(context, players[0], change: change) }.map { "\($0.code) \($0.argument)" }
    }
    #expect(fault { ($0.seat, $0.received) = (0, twice) } == "requiredArgument seat")
    #expect(fault { ($0.received, $0.number) = (twice, 7) } == "invalidArgument received")
    #expect(fault { ($0.number, $0.playerCount) = (7, 99) } == "matchEnded ")
    #expect(fault { $0.playerCount = 99 } == "invalidArgument playerCount")
    #expect(fault { $0.players = [stranger, stranger] } == "invalidArgument players")
    #expect(fault { $0.players = [stranger] } == "notReachable players")
    #expect(failure { try join(alone, players[2]) }?.code == .notAllowed)
  }

  @Test("3.4 2.10 who starts match after match is refused for a while, in whatever contexts")
  func startBudget() throws {
    let contexts = try (0..<3).map {
      try driver.matched(Array(players.prefix(3)), context: .sample(UInt64(60 + $0)))
    }
    func start(_ number: Int) throws {
      try join(contexts[number % 3], players[0])
      var leave = LeaveMatch()
      (leave.context, leave.seat) = (contexts[number % 3], 100 + players[0].low)
      try driver.call(leave, as: players[0])
    }
    for number in 0..<100 { try start(number) }
    let refused = failure { try start(100) }
    #expect(refused?.code == .rateLimited && (refused?.retryAfterMilliseconds ?? 0) > 0)
    #expect(try driver.takeHints(MatchExpected.self).count == 200)
    // Others start, and the player joins what they have started.
    try join(contexts[0], players[1])
    try join(contexts[0], players[0])
    driver.pass(2_000)
    try join(contexts[1], players[0])
    #expect(failure { try join(contexts[2], players[0]) }?.code == .rateLimited)
  }

  @Test("3.3 a match of 16 begins when the last one has joined; each keeps its place for the match")
  func sixteen() throws {
    let context = try driver.matched(players)
    for (index, player) in players.reversed().enumerated() {
      let reply = try join(context, player)
      #expect(reply.expectedPlayerCount == UInt32(15 - index))
      #expect(reply.hasBegun == (index == 15))
      #expect(Int(reply.place) == 15 - index)
      #expect(reply.players.map(\.player) == players.filter { $0 != player })
    }
    #expect(driver.takeHints(of: players) == Set(players.dropLast()))
    try driver.restart()
    let reply = try join(context, players[3]) { $0.number = 1 }
    #expect(reply.place == 3 && reply.hasBegun)
    #expect(reply.players.map(\.place) == (UInt8(0)..<16).filter { $0 != 3 })
  }

  @Test("3.5 data to all of 16, or to some, is the same bytes for each receiver")
  func sameBytes() throws {
    let context = try driver.matched(players)
    var reply = JoinMatch.Reply()
    for player in players.reversed() { reply = try join(context, player) }
    driver.pushes = []
    var data = SendMatchData()
    data.context = context
    data.incarnation = reply.incarnation
    data.roster = reply.roster
    data.seat = 101
    data.isReliable = true
    data.payload = Bytes([1, 2, 3])
    for (receivers, sessions) in [(0, 2...16), (0b111_0000, 5...7)]
      as [(UInt16, ClosedRange<UInt64>)]
    {
      data.receivers = receivers
      data.sequence += 1
      try driver.call(data, as: players[0], session: 1)
      let bodies = Set(driver.pushes.map(\.body))
      #expect(bodies.count == 1)
      #expect(try driver.takePushes(MatchData.self).map(\.session) == Array(sessions))
    }
  }

  @Test("3.3 in a group the first to join play, and who leaves before the beginning makes room")
  func openMatch() throws {
    let context = try group(players)
    let first = try join(context, players[5]) { $0.playerCount = 3 }
    #expect(first.expectedPlayerCount == 2 && first.players.isEmpty)
    #expect(driver.hints.isEmpty)
    try join(context, players[2])
    driver.pushes = []
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: players[2], session: 3)
    let left = try driver.takePushes(MatchPlayerChanged.self)
    #expect(left.map(\.event.state) == [.left] && left.map(\.event.expectedPlayerCount) == [2])
    #expect(try join(context, players[9]).place == 1)
    #expect(try join(context, players[2]).hasBegun)
    let late = failure { try join(context, players[0]) }
    #expect(late?.code == .notAllowed)
    for count in [1, 17] as [UInt32] {
      let another = try group(players, context: .sample(60 + UInt64(count)))
      let refused = failure { try join(another, players[0]) { $0.playerCount = count } }
      #expect(refused?.code == .invalidArgument && refused?.argument == "playerCount")
    }
  }

  @Test(
    "3.3 a group of more than 16 has matches of some of them, whom the call that starts it says")
  func namedPlayers() throws {
    let many = (1...UInt64(40)).map { PlayerID.sample($0) }
    let context = try group(many)
    let unsaid = failure { try join(context, many[0]) }
    #expect(unsaid?.code == .requiredArgument && unsaid?.argument == "playerCount")
    for wrong in [[many[0]], [many[1], many[1]], Array(many[1...16])] {
      let refused = failure { try join(context, many[0]) { $0.players = wrong } }
      #expect(refused?.code == .invalidArgument && refused?.argument == "players")
    }
    let stranger = failure { try join(context, many[0]) { $0.players = [.sample(99)] } }
    #expect(stranger?.code == .notReachable && stranger?.argument == "players")
    let reply = try join(context, many[0]) { $0.players = [many[3], many[1]] }
    #expect(reply.players.map(\.player) == [many[1], many[3]])
    #expect(driver.takeHints(of: many) == [many[1], many[3]])
    #expect(failure { try join(context, many[2]) }?.code == .notAllowed)
    try join(context, many[1])
    #expect(try join(context, many[3]).hasBegun)
  }

  @Test("2.9, 3.2 in a group, players of whom one blocks the other are not put into a new match")
  func blocked() throws {
    let four = Array(players.prefix(4))
    // The starter's own blocks and those of others: nobody of them is in the roster.
    let started = try join(
      try group(four), four[0], blocks: [four[1]], blockedBy: [four[2]])
    #expect(started.players.map(\.player) == [four[3]])
    // Named, whoever blocks the caller is not told from a stranger.
    let context = try group(four, context: .sample(51))
    let named = failure {
      try join(context, four[0], blockedBy: [four[2]]) { $0.players = [four[2]] }
    }
    let stranger = failure { try join(context, four[0]) { $0.players = [.sample(99)] } }
    #expect(named == stranger && named?.code == .notReachable)
    // Who comes later reads the same as one for whom there is no room.
    try join(context, four[0]) { $0.playerCount = 2 }
    let blocking = failure { try join(context, four[1], blocks: [four[0]]) }
    let blocked = failure { try join(context, four[1], blockedBy: [four[0]]) }
    try join(context, four[2])
    let late = failure { try join(context, four[1]) }
    #expect(blocking == late && blocked == late && late?.code == .notAllowed)
    // Where both play, both stay.
    #expect(try join(context, four[2], blockedBy: [four[0]]).number == 1)
  }

  @Test("3.6 players are added to a running match, also one who has left it, up to 16")
  func adding() throws {
    let context = try driver.matched(players + [.sample(17)])
    try join(context, ann) { $0.players = [ben] }
    try join(context, ben)
    (driver.pushes, driver.hints) = ([], [])
    var add = AddMatchPlayers()
    add.context = context
    add.players = [cho]
    try driver.call(add, as: ann)
    let changed = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changed.map(\.session) == [1, 2])
    #expect(changed.first?.event.player == cho && changed.first?.event.state == .absent)
    #expect(changed.first?.event.place == 2 && changed.first?.event.expectedPlayerCount == 1)
    #expect(driver.takeHints(of: players) == [cho])
    let reply = try join(context, cho)
    #expect(reply.hasBegun && reply.place == 2 && reply.expectedPlayerCount == 0)
    // Ben leaves, and comes back to his place only when somebody has asked for him.
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ben, session: 2)
    #expect(failure { try join(context, ben) }?.code == .matchEnded)
    add.players = [ben, cho]
    try driver.call(add, as: ann)
    #expect(try join(context, ben) { $0.seat = 5 }.place == 1)
    // Nobody in the match is asked anew, and nobody beyond the sixteenth is.
    add.players = Array(players.dropFirst(3))
    try driver.call(add, as: ben)
    add.players = [.sample(17)]
    let full = failure { try driver.call(add, as: ann) }
    #expect(full?.code == .limitReached && full?.argument == "players")
    for player in players.dropFirst(3) { try join(context, player) }
  }

  @Test("3.6 only players of the match add players of the context")
  func addingErrors() throws {
    let context = try driver.matched(players)
    try join(context, ann) { $0.players = [ben] }
    try join(context, ben)
    var add = AddMatchPlayers()
    #expect(failure { try driver.call(add, as: ann) }?.argument == "context")
    add.context = context
    #expect(failure { try driver.call(add, as: ann) }?.code == .requiredArgument)
    add.players = [cho, cho]
    #expect(failure { try driver.call(add, as: ann) }?.code == .invalidArgument)
    add.players = [cho]
    #expect(failure { try driver.call(add, as: cho) }?.code == .notAllowed)
    #expect(failure { try driver.call(add, as: .sample(99)) }?.code == .notFound)
    add.number = 2
    #expect(failure { try driver.call(add, as: ann) }?.code == .matchEnded)
    add.number = 1
    add.players = [.sample(99)]
    #expect(failure { try driver.call(add, as: ann) }?.code == .notReachable)
    #expect(driver.core.matches.table[context]?.seats.count == 2)
  }

  @Test("3.6 seats that matchmaking adds late, twice, or to a match that is over change nothing")
  func addedByMatchmaking() throws {
    let context = try driver.matched(players)
    try join(context, ann) { $0.players = [ben] }
    try join(context, ben)
    let core = driver.core
    var transaction = Transaction(now: driver.clock, random: .seeded(1))
    #expect(core.matches.hasSeats(for: [cho], besides: [ann, ben], in: context, number: 1))
    #expect(!core.matches.hasSeats(for: [cho], besides: [ann], in: context, number: 1))
    #expect(!core.matches.hasSeats(for: [ben], besides: [ann, ben], in: context, number: 1))
    #expect(!core.matches.hasSeats(for: [cho], besides: [ann, ben], in: context, number: 2))
    let many = Array(players.dropFirst(2)) + [.sample(17)]
    #expect(!core.matches.hasSeats(for: many, besides: [ann, ben], in: context, number: 1))
    core.matches.addSeats([cho], to: context, number: 2, &transaction)
    #expect(core.matches.table[context]?.seats.count == 2)
    core.matches.addSeats([cho, cho, ann, PlayerID()], to: context, number: 1, &transaction)
    core.matches.addSeats([cho], to: context, number: 1, &transaction)
    #expect(core.matches.table[context]?.seats.map(\.player) == [ann, ben, cho])
    #expect(transaction.hints.map(\.player) == [cho])
  }

  @Test("3.6 a rematch is of the same players; whoever is first starts it, and each joins it")
  func rematch() throws {
    let context = try group(players)
    try join(context, ann) { $0.players = [ben, cho] }
    for player in [ben, cho] { try join(context, player) }
    var leave = LeaveMatch()
    leave.context = context
    for player in [ann, ben] { try driver.call(leave, as: player, session: player.low) }
    try driver.leave(context, as: cho)
    driver.hints = []
    // Who has left the context since is not waited for.
    let reply = try join(context, ben) { ($0.startsNew, $0.isRematch) = (true, true) }
    #expect(reply.number == 2 && reply.players.map(\.player) == [ann])
    #expect(driver.takeHints(of: players) == [ann])
    let other = try join(context, ann) { ($0.startsNew, $0.isRematch) = (true, true) }
    #expect(other.number == 2 && other.hasBegun)
  }

  @Test("3.9 one player plays a bounded number of matches, over however many connections")
  func matchesOfOnePlayer() throws {
    let countMax = UInt64(ContextLimits.matchesPerPlayerMax)
    for number in 0...countMax {
      let context = try driver.matched([ann, ben], context: .sample(1000 + number))
      let refused = failure {
        try driver.join(context, as: ann, session: 1 + number / 16, seat: 11)
      }
      #expect(refused?.code == (number == countMax ? .limitReached : nil))
    }
    // A match that is left, or whose seat is only taken again, counts no more.
    var leave = LeaveMatch()
    leave.context = .sample(1000)
    try driver.call(leave, as: ann, session: 1)
    try driver.join(.sample(1001), as: ann, session: 1, seat: 12)
    try driver.join(.sample(1000 + countMax), as: ann, session: 90, seat: 11)
    try driver.restart()
    driver.runTimers()
    let refused = failure { try driver.join(.sample(1000), as: ann, session: 91, seat: 11) }
    #expect(refused?.code == .limitReached)
  }
}

extension ContextDriver {
  /// Who was told that a match expects them, each once.
  func takeHints(of players: [PlayerID]) -> Set<PlayerID> {
    let told = (try? takeHints(MatchExpected.self).map(\.player)) ?? []
    #expect(Set(told).count == told.count)
    return Set(told)
  }
}

extension MatchRosterTests {
  @Test("1.8 a match whose last expected player leaves the context begins with the others")
  func expectedPlayerLeaves() throws {
    let context = try driver.matched([ann, ben, cho])
    try join(context, ann)
    let reply = try join(context, ben)
    #expect(!reply.hasBegun)
    driver.pushes = []
    var leave = LeaveContext()
    leave.context = context
    try driver.call(leave, as: cho)
    let told = try driver.takePushes(MatchPlayerChanged.self)
    #expect(told.map(\.session) == [1, 2])
    #expect(told.allSatisfy { $0.event.state == .left && $0.event.expectedPlayerCount == 0 })
    var data = SendMatchData()
    data.context = context
    data.incarnation = reply.incarnation
    (data.roster, data.seat) = (100, 101)
    try driver.call(data, as: ann, session: 1)
    #expect(try driver.takePushes(MatchData.self).map(\.session) == [2])
    let rows = try (driver.rows[ContextRow.tableID] ?? [:]).map {
      try ContextRow(decoding: $0.value)
    }
    #expect(rows.map(\.hasPlayed) == [true])
  }

  @Test("2.9 two of a match who block each other do not keep the others waiting")
  func blockBetweenOthers() throws {
    let context = try group([ann, ben, cho])
    try join(context, ann)
    try join(context, ben)
    driver.pushes = []
    let refused = try join(context, cho, blocks: [ben])
    #expect(refused.hasNoSeat && refused.players.isEmpty && refused.incarnation == 0)
    let told = try driver.takePushes(MatchPlayerChanged.self)
    #expect(told.map(\.session) == [1, 2])
    #expect(told.allSatisfy { $0.event.state == .left && $0.event.expectedPlayerCount == 0 })
    #expect(try join(context, ann) { $0.number = 1 }.hasBegun)
    #expect(failure { try join(context, cho) }?.code == .matchEnded)
  }

  @Test("3.4 a player who was added and never comes keeps no match alive")
  func addedAndAbsent() throws {
    let context = try driver.matched([ann, ben, cho])
    try join(context, ann) { $0.players = [ben] }
    try join(context, ben)
    var add = AddMatchPlayers()
    add.context = context
    add.players = [cho]
    try driver.call(add, as: ann, session: 1)
    driver.pushes = []
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ann, session: 1)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2])
  }

  @Test("2.9 nobody is added to a match by a player whom it blocks")
  func addingBlocked() throws {
    let context = try group([ann, ben, cho])
    try join(context, ann) { $0.players = [ben] }
    try join(context, ben)
    var add = AddMatchPlayers()
    add.context = context
    add.players = [cho]
    for (blocks, isReachable) in [([cho], true), ([], false)] as [([PlayerID], Bool)] {
      var reply = FetchBlocks.Reply()
      reply.blocked = blocks
      var reachable = FetchPlayer.Reply()
      reachable.isReachable = isReachable
      let facts = Facts([
        Fact(FetchBlocks.self, at: ann, reply), Fact(FetchPlayer.self, at: cho, reachable),
      ])
      let refused = failure { try driver.call(add, as: ann, facts: facts, session: 1) }
      #expect(refused?.code == .notReachable && refused?.argument == "players")
    }
  }

  @Test("3.9 a seat that changes its connection or client all the time has to wait")
  func reseating() throws {
    let context = try driver.matched([ann, ben])
    try join(context, ben)
    var codes: [FailureCode?] = []
    for seat in 0..<30 as Range<UInt64> {
      codes.append(failure { try join(context, ann) { $0.seat = 500 + seat } }?.code)
    }
    #expect(codes.prefix(5).allSatisfy { $0 == nil })
    #expect(codes.suffix(15).allSatisfy { $0 == .rateLimited })
    driver.pass(1000)
    #expect(failure { try join(context, ann) { $0.seat = 900 } } == nil)
  }

  @Test("3.9 what was received is said once for each sender")
  func doubledCursors() throws {
    let context = try driver.matched([ann, ben])
    try join(context, ben)
    let cursor = MatchCursor(player: ann, seat: 101, through: 0)
    let refused = failure { try join(context, ann) { $0.received = [cursor, cursor] } }
    #expect(refused?.code == .invalidArgument && refused?.argument == "received")
  }
}
