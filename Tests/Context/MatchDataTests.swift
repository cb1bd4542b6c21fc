import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchDataTests {
  let driver = ContextDriver()
  let context: ContextID
  let incarnation: UInt64

  init() throws {
    context = try driver.pair()
    try driver.join(context, as: ann, session: 1, seat: 11)
    incarnation = try driver.join(context, as: ben, session: 2, seat: 12).incarnation
    driver.pushes = []
    driver.effects = []
  }

  func data(
    _ payload: [UInt8], to receivers: UInt16 = 0, sequence: UInt64 = 1,
    exceptions: [MatchNumber] = [], isReliable: Bool = false
  ) -> SendMatchData {
    var operation = SendMatchData()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = 11
    operation.roster = 2
    operation.receivers = receivers
    operation.sequence = sequence
    operation.exceptions = exceptions
    operation.isReliable = isReliable
    operation.payload = Bytes(payload)
    return operation
  }

  @Test("3.5 data to all goes to the others and not to the sender; nothing of it is kept")
  func toAll() throws {
    let rows = driver.rows
    try driver.call(data([1, 2, 3]), as: ann, session: 1)
    let pushes = try driver.takePushes(MatchData.self)
    #expect(pushes.map(\.session) == [2])
    #expect(pushes.first?.event.payload.array == [1, 2, 3])
    #expect(pushes.first?.event.place == 0)
    #expect(pushes.first?.event.seat == 11)
    #expect(driver.rows == rows)
    #expect(driver.effects.isEmpty)
  }

  @Test("3.5 reliable data carries its receivers and their numbers; oneself and others are refused")
  func toChosen() throws {
    let number = MatchNumber(place: 1, sequence: 40)
    try driver.call(
      data([], to: 2, sequence: 42, exceptions: [number], isReliable: true), as: ann, session: 1)
    let event = try driver.takePushes(MatchData.self).first?.event
    #expect(event?.sequence(for: 1) == 40 && event?.sequence(for: 2) == 42)
    for receivers in [1, 3, 4, 0x8000] as [UInt16] {
      let refused = failure {
        try driver.call(data([], to: receivers), as: ann, session: 1)
      }
      #expect(refused?.code == .invalidArgument && refused?.argument == "receivers")
    }
    for exceptions in [[number, number], [MatchNumber(place: 2, sequence: 1)]] {
      let refused = failure {
        try driver.call(data([], exceptions: exceptions, isReliable: true), as: ann, session: 1)
      }
      #expect(refused?.code == .invalidArgument && refused?.argument == "exceptions")
    }
    #expect(driver.pushes.isEmpty)
  }

  @Test("3.5 a payload has at most 60 KiB")
  func size() throws {
    let sizeMax = ContextLimits.matchPayloadSizeMax
    try driver.call(data([UInt8](repeating: 1, count: sizeMax)), as: ann, session: 1)
    let refused = failure {
      try driver.call(data([UInt8](repeating: 1, count: sizeMax + 1)), as: ann, session: 1)
    }
    #expect(refused?.argument == "payload")
  }

  @Test("3.9 who is not connected, or came later than the sender knows, gets nothing")
  func unreachable() throws {
    var old = data([], to: 2, isReliable: true)
    old.roster = 1
    try driver.call(old, as: ann, session: 1)
    driver.close(session: 2)
    driver.pushes = []
    try driver.call(data([], to: 2, isReliable: true), as: ann, session: 1)
    #expect(driver.pushes.isEmpty)
  }

  @Test("3.9 acknowledgements reach the sender end to end, a moment later and all together")
  func acknowledgement() throws {
    var operation = AcknowledgeMatchData()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = 12
    for through in [3, 5] as [UInt64] {
      operation.receipts = [MatchReceipt(place: 0, seat: 11, through: through)]
      try driver.call(operation, as: ben, session: 2)
    }
    #expect(driver.pushes.isEmpty)
    driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
    let pushes = try driver.takePushes(MatchDataAcknowledged.self)
    #expect(pushes.map(\.session) == [1])
    #expect(pushes.first?.event.seat == 11)
    #expect(pushes.first?.event.receipts == [MatchReceipt(place: 1, seat: 12, through: 5)])
    // Of another client, of oneself and of nobody: it means nothing.
    for receipt in [(0, 10), (1, 12), (7, 1)] as [(UInt8, UInt64)] {
      operation.receipts = [MatchReceipt(place: receipt.0, seat: receipt.1, through: 9)]
      try driver.call(operation, as: ben, session: 2)
      driver.pass(1000)
      #expect(driver.pushes.isEmpty)
    }
    operation.receipts = (0..<17).map { MatchReceipt(place: $0, seat: 11, through: 1) }
    let refused = failure { try driver.call(operation, as: ben, session: 2) }
    #expect(refused?.code == .invalidArgument && refused?.argument == "receipts")
  }

  @Test("3.3 data before the match has begun is refused")
  func notBegun() throws {
    let driver = ContextDriver()
    let context = try driver.pair()
    let reply = try driver.join(context, as: ann, session: 1, seat: 11)
    #expect(!reply.hasBegun)
    var early = data([1])
    (early.context, early.incarnation) = (context, reply.incarnation)
    for isReliable in [false, true] {
      early.isReliable = isReliable
      #expect(failure { try driver.call(early, as: ann, session: 1) }?.code == .notOpen)
    }
    #expect(try driver.join(context, as: ben, session: 2, seat: 12).hasBegun)
    try driver.call(early, as: ann, session: 1)
  }

  @Test("3.4 data of a match that ended unheard is a conflict, and joining it says that it is over")
  func unheardEnd() throws {
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ben, session: 2)
    try driver.join(context, as: ben, session: 2, seat: 22, startsNew: true)
    // Nobody has taken the seat of the client that still plays the match before.
    #expect(failure { try driver.call(data([]), as: ann, session: 1) }?.code == .conflict)
    let again = failure { try driver.join(context, as: ann, session: 1, seat: 11, number: 1) }
    #expect(again?.code == .matchEnded)
  }

  @Test("3.9 strangers are refused, and a stale incarnation or connection is a conflict")
  func refusals() throws {
    #expect(failure { try driver.call(data([]), as: cho, session: 3) }?.code == .notAllowed)
    var stale = data([])
    stale.incarnation &+= 1
    #expect(failure { try driver.call(stale, as: ann, session: 1) }?.code == .conflict)
    #expect(failure { try driver.call(data([]), as: ann, session: 8) }?.code == .conflict)
    var nowhere = data([])
    nowhere.context = ContextID()
    #expect(
      failure { try driver.call(nowhere, as: ann, session: 1) }?.argument == "context")
    nowhere.context = .sample(5)
    #expect(failure { try driver.call(nowhere, as: ann, session: 1) }?.code == .notAllowed)
    var leave = LeaveMatch()
    leave.context = context
    try driver.call(leave, as: ben, session: 2)
    #expect(failure { try driver.call(data([]), as: ann, session: 1) }?.code == .matchEnded)
  }
}
