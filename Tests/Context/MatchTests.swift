import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore

@Suite struct MatchTests {
  let driver = ContextDriver()

  /// Both players in a match, ann on session 1 with seat 11, ben on 2 with 12.
  func begin() throws -> (context: ContextID, reply: JoinMatch.Reply) {
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    let reply = try driver.join(context, as: ben, session: 2, seat: 12)
    driver.pushes = []
    driver.effects = []
    return (context, reply)
  }

  @Test("3.3 the match begins when nobody is expected any more")
  func beginning() throws {
    let context = try driver.pair()
    let first = try driver.join(context, as: ann, session: 1, seat: 11)
    #expect(first.number == 1)
    #expect(first.expectedPlayerCount == 1)
    #expect(first.players == [MatchPlayer(player: ben, seat: 0, state: .absent, place: 1)])
    #expect(driver.pushes.isEmpty)
    let second = try driver.join(context, as: ben, session: 2, seat: 12)
    #expect(second.number == 1)
    #expect(second.incarnation == first.incarnation)
    #expect(second.expectedPlayerCount == 0)
    #expect(second.players == [MatchPlayer(player: ann, seat: 11, state: .connected)])
    let pushes = try driver.takePushes(MatchPlayerChanged.self)
    #expect(pushes.map(\.session) == [1])
    #expect(pushes.first?.event.player == ben)
    #expect(pushes.first?.event.seat == 12)
    #expect(pushes.first?.event.state == .connected)
    #expect(pushes.first?.event.expectedPlayerCount == 0)
  }

  @Test("3.3 who waits for absent players may wait for as long as it is connected")
  func waiting() throws {
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    driver.pass(10 * driver.core.settings[.matchGrace])
    #expect(try driver.join(context, as: ben, session: 2, seat: 12).number == 1)
  }

  @Test("3.3 a match that never began is in nobody's way")
  func neverBegan() throws {
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ann, session: 1)
    let reply = try driver.join(context, as: ben, session: 2, seat: 12)
    #expect(reply.number == 2)
    #expect(reply.expectedPlayerCount == 1)
  }

  @Test("3.3 joining needs a seat number, a connection, a second player and being in the context")
  func joinErrors() throws {
    let solo = try driver.createSolo(ann).context
    #expect(
      failure { try driver.join(solo, as: ann, session: 1, seat: 1) }?.code == .notAllowed)
    let context = try driver.createPair(ann, with: ben).context
    let invited = failure { try driver.join(context, as: ben, session: 2, seat: 12) }
    #expect(invited?.code == .notAllowed)
    #expect(
      failure { try driver.join(context, as: cho, session: 3, seat: 13) }?.code == .notFound)
    let noSeat = failure { try driver.join(context, as: ann, session: 1, seat: 0) }
    #expect(noSeat?.code == .requiredArgument)
    #expect(noSeat?.argument == "seat")
    #expect(
      failure { try driver.join(context, as: ann, session: 0, seat: 1) }?.code == .notAllowed)
    let nobody = failure { try driver.join(ContextID(), as: ann, session: 1, seat: 1) }
    #expect(nobody?.argument == "context")
  }

  @Test("3.4 when one of two leaves, the match ends and cannot be joined again")
  func leaving() throws {
    let (context, first) = try begin()
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ann, session: 1)
    let changed = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changed.map(\.session) == [2])
    #expect(changed.first?.event.state == .left)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2])
    try driver.restart()
    for (player, session) in [(ann, UInt64(1)), (ben, 2)] {
      let refused = failure { try driver.join(context, as: player, session: session, seat: 5) }
      #expect(refused?.code == .matchEnded)
    }
    let next = try driver.join(context, as: ben, session: 2, seat: 5, startsNew: true)
    #expect(next.number == 2 && next.incarnation != first.incarnation)
    #expect(try driver.join(context, as: ann, session: 1, seat: 6).expectedPlayerCount == 0)
    let old = failure { try driver.join(context, as: ann, session: 1, seat: 6, number: 1) }
    #expect(old?.code == .matchEnded)
    // A leave of the match before does not touch the new one.
    leave.number = 1
    try driver.call(leave, as: ann, session: 1)
    #expect(try driver.join(context, as: ann, session: 1, seat: 6).number == 2)
  }

  @Test("3.4 a join that its own leave has overtaken seats nobody, whom the others would wait for")
  func overtakenJoin() throws {
    let context = try driver.pair()
    try driver.join(context, as: ben, session: 2, seat: 5)
    var leave = LeaveMatch()
    leave.context = context
    leave.seat = 11
    try driver.call(leave, as: ann, session: 1)
    for _ in 0..<2 {
      let late = failure { try driver.join(context, as: ann, session: 1, seat: 11) }
      #expect(late?.code == .matchEnded)
      // The gateway makes the join again when the service is back.
      try driver.restart()
    }
    try driver.join(context, as: ben, session: 2, seat: 5)
    // Another attempt is another seat, and another player's may have the same value.
    #expect(try driver.join(context, as: ann, session: 1, seat: 12).expectedPlayerCount == 0)
    driver.pass(60_001)
    leave.seat = 12
    try driver.call(leave, as: ann, session: 1)
    let next = try driver.join(context, as: ann, session: 1, seat: 11, startsNew: true)
    #expect(next.number == 2)
  }

  @Test("3.4 seats that were given up are forgotten after a while, and are no more than so many")
  func givenUpSeatsAreBounded() throws {
    let context = try driver.pair()
    var leave = LeaveMatch()
    leave.context = context
    for seat in 1...6000 as ClosedRange<UInt64> {
      leave.seat = seat
      try driver.call(leave, as: ann, session: 1)
    }
    #expect(driver.rows[GivenUpSeatRow.tableID]?.count == 4096)
    let late = failure { try driver.join(context, as: ann, session: 1, seat: 6000) }
    #expect(late?.code == .matchEnded)
    driver.pass(60_001)
    for seat in 6001...9000 as ClosedRange<UInt64> {
      leave.seat = seat
      try driver.call(leave, as: ann, session: 1)
    }
    #expect(driver.rows[GivenUpSeatRow.tableID]?.count ?? 0 <= 3001)
  }

  @Test("3.4 a seat that is given up again stays so for its whole time, and holds up no other")
  func givenUpAgain() throws {
    let context = try driver.pair()
    var leave = LeaveMatch()
    leave.context = context
    for seat in [1, 2, 3] as [UInt64] {
      leave.seat = seat
      try driver.call(leave, as: ann, session: 1)
    }
    driver.pass(30_000)
    leave.seat = 1
    try driver.call(leave, as: ann, session: 1)
    driver.pass(30_001)
    for seat in [4, 5] as [UInt64] {
      leave.seat = seat
      try driver.call(leave, as: ann, session: 1)
    }
    #expect(driver.rows[GivenUpSeatRow.tableID]?.count == 3, "1, 4 and 5")
    #expect(failure { try driver.join(context, as: ann, session: 1, seat: 1) }?.code == .matchEnded)
    #expect(try driver.join(context, as: ann, session: 1, seat: 2).expectedPlayerCount == 1)
  }

  @Test("3.4 a client leaves over its new connection before the loss of the old one is known")
  func leavingAfterReconnecting() throws {
    let (context, reply) = try begin()
    var leave = LeaveMatch()
    leave.context = context
    leave.number = reply.number
    // Without a seat value, nobody can tell the client from another one.
    #expect(failure { try driver.call(leave, as: ann, session: 3) }?.code == .notAllowed)
    leave.seat = 11
    try driver.call(leave, as: ann, session: 3)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2])
  }

  @Test("3.9 a client that lost its seat cannot leave in the name of the one that has it")
  func leavingOfAnotherClient() throws {
    let (context, reply) = try begin()
    try driver.join(context, as: ann, session: 3, seat: 13)
    driver.pushes = []
    var leave = LeaveMatch()
    leave.context = context
    leave.number = reply.number
    leave.seat = 11
    // Also over the connection that has the seat: an old call may be repeated there.
    for session in [UInt64(1), 3] {
      #expect(failure { try driver.call(leave, as: ann, session: session) }?.code == .notAllowed)
    }
    #expect(driver.pushes.isEmpty)
    leave.seat = 13
    try driver.call(leave, as: ann, session: 3)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2])
  }

  @Test("3.7 after a restart the client that had the seat leaves without joining again")
  func leavingAfterRestart() throws {
    let (context, reply) = try begin()
    try driver.join(context, as: ann, session: 3, seat: 13)
    try driver.restart()
    var leave = LeaveMatch()
    leave.context = context
    leave.number = reply.number
    leave.seat = 11
    #expect(failure { try driver.call(leave, as: ann, session: 4) }?.code == .notAllowed)
    leave.seat = 13
    try driver.call(leave, as: ann, session: 4)
    let refused = failure { try driver.join(context, as: ben, session: 2, seat: 12) }
    #expect(refused?.code == .matchEnded)
  }

  @Test(
    "3.7 without a seat value nobody leaves for a client that may come back",
    arguments: [false, true])
  func leavingForAnother(restarts: Bool) throws {
    let (context, reply) = try begin()
    driver.close(session: 2)
    if restarts { try driver.restart() }
    driver.pushes = []
    var leave = LeaveMatch()
    leave.context = context
    for number in [0, reply.number] {
      leave.number = number
      #expect(failure { try driver.call(leave, as: ben, session: 4) }?.code == .notAllowed)
    }
    #expect(driver.pushes.isEmpty)
    #expect(try driver.join(context, as: ben, session: 5, seat: 12, number: 1).number == 1)
  }

  @Test("3.4 leaving the context leaves its match; a new generation has a new one")
  func leavingContext() throws {
    let (context, _) = try begin()
    try driver.leave(context, as: ann)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2])
    try driver.leave(context, as: ben)
    try driver.createPair(ann, with: ben)
    try driver.enter(context, as: ben)
    #expect(try driver.join(context, as: ben, session: 2, seat: 5).number == 2)
  }

  @Test("3.7 a lost connection is told, and the player comes back within the grace time")
  func grace() throws {
    let (context, reply) = try begin()
    driver.close(session: 2)
    let gone = try driver.takePushes(MatchPlayerChanged.self)
    #expect(gone.map(\.session) == [1])
    #expect(gone.first?.event.state == .disconnected)
    driver.pass(driver.core.settings[.matchGrace] - 1)
    #expect(driver.pushes.isEmpty)
    let again = try driver.join(context, as: ben, session: 4, seat: 12, number: 1)
    #expect(again.incarnation == reply.incarnation)
    let back = try driver.takePushes(MatchPlayerChanged.self)
    #expect(back.first?.event.state == .connected)
    driver.pass(driver.core.settings[.matchGrace])
    #expect(driver.pushes.isEmpty)
    // The old connection's end, told late, means nothing.
    driver.close(session: 2)
    #expect(driver.pushes.isEmpty)
  }

  @Test("3.7 the grace time is a setting")
  func setGrace() throws {
    let driver = ContextDriver(settings: [.matchGrace: 5])
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    try driver.join(context, as: ben, session: 2, seat: 12)
    driver.close(session: 2)
    driver.pass(4999)
    #expect(try driver.call(CurrentContext(), as: ben).context != nil)
    driver.pushes = []
    driver.pass(1)
    #expect(try driver.takePushes(MatchPlayerChanged.self).map(\.event.state) == [.left])
  }

  @Test("3.7 after the grace time the player has left, durably")
  func graceOver() throws {
    let (context, _) = try begin()
    driver.close(session: 2)
    driver.pushes = []
    driver.pass(driver.core.settings[.matchGrace])
    let changed = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changed.map(\.session) == [1])
    #expect(changed.first?.event.state == .left)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [1])
    try driver.restart()
    let refused = failure { try driver.join(context, as: ben, session: 4, seat: 12) }
    #expect(refused?.code == .matchEnded)
  }

  @Test(
    "3.7 time in which nobody could come back does not count, wherever in the grace time it falls",
    arguments: [0, 1_000, 27_900, 29_999], [2_600, 29_000, 3_600_000])
  func heldUp(since start: Int64, for milliseconds: Int64) throws {
    let (context, _) = try begin()
    let grace = driver.core.settings[.matchGrace]
    driver.close(session: 2)
    driver.pass(start)
    driver.clock += milliseconds
    driver.runTimers()
    #expect(try driver.takePushes(MatchEnded.self).isEmpty)
    // What was left of the grace time, but for what a late step counts, and a step that begins
    // anew.
    driver.pass(max(0, grace - start - GraceTime.latenessMax - 1))
    #expect(try driver.takePushes(MatchEnded.self).isEmpty)
    driver.pass(GraceTime.latenessMax + GraceTime.stepMax + 1)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [1])
    let refused = failure { try driver.join(context, as: ben, session: 4, seat: 12) }
    #expect(refused?.code == .matchEnded)
  }

  @Test("3.9 a second device takes the seat over, and the first is told")
  func takeOver() throws {
    let (context, reply) = try begin()
    try driver.join(context, as: ben, session: 9, seat: 99)
    #expect(try driver.takePushes(MatchSeatTaken.self).map(\.session) == [2])
    let changed = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changed.first?.event.seat == 99)
    #expect(changed.first?.event.state == .connected)
    var data = SendMatchData()
    data.context = context
    data.incarnation = reply.incarnation
    data.seat = 12
    #expect(failure { try driver.call(data, as: ben, session: 2) }?.code == .notAllowed)
    var leave = LeaveMatch()
    leave.context = context
    #expect(failure { try driver.call(leave, as: ben, session: 2) }?.code == .notAllowed)
    driver.close(session: 2)
    #expect(driver.pushes.isEmpty)
    data.seat = 99
    data.roster = 99
    try driver.call(data, as: ben, session: 9)
    #expect(try driver.takePushes(MatchData.self).map(\.session) == [1])
  }

  @Test(
    "3.9 a client whose seat was taken while it was away does not come back to it",
    arguments: [false, true])
  func takenMeanwhile(restarts: Bool) throws {
    let (context, _) = try begin()
    driver.close(session: 2)
    try driver.join(context, as: ben, session: 9, seat: 99)
    driver.close(session: 9)
    if restarts { try driver.restart() }
    driver.pushes = []
    let refused = failure { try driver.join(context, as: ben, session: 4, seat: 12, number: 1) }
    #expect(refused?.code == .conflict)
    #expect(driver.pushes.isEmpty)
    #expect(try driver.join(context, as: ben, session: 10, seat: 99, number: 1).number == 1)
    // Whoever begins anew may take the seat at any time.
    #expect(try driver.join(context, as: ben, session: 4, seat: 12).number == 1)
    #expect(try driver.takePushes(MatchSeatTaken.self).map(\.session) == [10])
  }

  @Test(
    "3.9 who comes back first after a restart is not taken for another client",
    arguments: [0, 1] as [UInt64])
  func backAfterRestart(number: UInt64) throws {
    let (context, _) = try begin()
    try driver.restart()
    let rows = driver.rows[19]
    #expect(
      try driver.join(context, as: ben, session: 4, seat: 12, number: number).number == 1)
    #expect(driver.rows[19] == rows)
  }

  @Test("3.9 joining again on the same connection changes nothing")
  func heartbeat() throws {
    let (context, reply) = try begin()
    let rows = driver.rows[19]
    let again = try driver.join(context, as: ben, session: 2, seat: 12, number: 1)
    #expect(again == reply)
    #expect(driver.pushes.isEmpty && driver.effects.isEmpty)
    #expect(driver.rows[19] == rows)
  }

  @Test("3.7 a join that is repeated on another connection takes the seat there")
  func repeatedJoin() throws {
    let context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    var operation = JoinMatch()
    operation.context = context
    operation.seat = 12
    let key = IdempotencyKey(instance: 8, counter: 1, floor: 1)
    try driver.call(operation, as: ben, session: 2, idempotency: key)
    driver.close(session: 2)
    let reply = try driver.call(operation, as: ben, session: 3, idempotency: key)
    var data = SendMatchData()
    data.context = context
    data.incarnation = reply.incarnation
    data.seat = 12
    data.roster = reply.roster
    try driver.call(data, as: ben, session: 3)
    #expect(try driver.takePushes(MatchData.self).map(\.session) == [1])
  }

  @Test("3.9 after a restart all have a fresh grace time and a new incarnation")
  func restart() throws {
    let (context, reply) = try begin()
    try driver.restart()
    driver.clock += driver.core.settings[.matchGrace] * 2
    driver.runTimers()
    var data = SendMatchData()
    data.context = context
    data.incarnation = reply.incarnation
    data.seat = 11
    #expect(failure { try driver.call(data, as: ann, session: 1) }?.code == .conflict)
    let cursor = MatchCursor(player: ben, seat: 12, through: 4)
    let first = try driver.join(
      context, as: ann, session: 1, seat: 11, number: 1, received: [cursor])
    #expect(first.incarnation != reply.incarnation)
    #expect(first.players == [MatchPlayer(player: ben, seat: 0, state: .disconnected, place: 1)])
    let second = try driver.join(
      context, as: ben, session: 2, seat: 12, number: 1,
      received: [MatchCursor(player: ann, seat: 11, through: 7)])
    #expect(second.players == [MatchPlayer(player: ann, seat: 11, state: .connected)])
    let acknowledged = try driver.takePushes(MatchDataAcknowledged.self)
    #expect(acknowledged.map(\.session) == [1])
    #expect(
      acknowledged.first?.event.receipts == [MatchReceipt(place: 1, seat: 12, through: 7)])
    #expect(try driver.takePushes(MatchPlayerChanged.self).map(\.session) == [1])
  }

  @Test("3.9 after a restart who does not come back has left")
  func restartAlone() throws {
    let (context, _) = try begin()
    try driver.restart()
    driver.runTimers()
    try driver.join(context, as: ann, session: 1, seat: 11, number: 1)
    driver.pass(driver.core.settings[.matchGrace])
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [1])
  }

  @Test("3.9 one connection plays a bounded number of matches")
  func matchesOfOneConnection() throws {
    for number in 0...UInt64(ContextLimits.matchesPerChannelMax) {
      let friend = PlayerID.sample(100 + number)
      let context = try driver.createPair(ann, with: friend).context
      let refused = failure { try driver.join(context, as: ann, session: 1, seat: 11) }
      let isLast = number == UInt64(ContextLimits.matchesPerChannelMax)
      #expect(refused?.code == (isLast ? .limitReached : nil))
    }
  }
}
