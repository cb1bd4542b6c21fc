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
    _ payload: [UInt8], to receivers: [MatchReceiver] = [], isReliable: Bool = false
  ) -> SendMatchData {
    var operation = SendMatchData()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = 11
    operation.receivers = receivers
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
    #expect(pushes.first?.event.sender == ann)
    #expect(pushes.first?.event.senderSeat == 11)
    #expect(pushes.first?.event.receiverSeat == 12)
    #expect(driver.rows == rows)
    #expect(driver.effects.isEmpty)
  }

  @Test("3.5 reliable data carries its receivers and their numbers")
  func toChosen() throws {
    let receiver = MatchReceiver(player: ben, seat: 12, sequence: 42)
    try driver.call(data([], to: [receiver], isReliable: true), as: ann, session: 1)
    #expect(try driver.takePushes(MatchData.self).first?.event.sequence == 42)
    let missing = failure { try driver.call(data([], isReliable: true), as: ann, session: 1) }
    #expect(missing?.argument == "receivers")
    for player in [ann, cho] {
      let wrong = MatchReceiver(player: player, seat: 11, sequence: 1)
      let refused = failure { try driver.call(data([], to: [wrong]), as: ann, session: 1) }
      #expect(refused?.code == .invalidArgument)
    }
  }

  @Test("3.5 a receiver named twice is refused: one call must not become many pushes to one")
  func doubles() throws {
    let twice = (1...2).map { MatchReceiver(player: ben, seat: 12, sequence: $0) }
    let refused = failure { try driver.call(data([1], to: twice), as: ann, session: 1) }
    #expect(refused?.code == .invalidArgument && refused?.argument == "receivers")
    #expect(try driver.takePushes(MatchData.self).isEmpty)
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

  @Test("3.9 who is not connected, or lost its seat, gets nothing")
  func unreachable() throws {
    let old = MatchReceiver(player: ben, seat: 7, sequence: 1)
    try driver.call(data([], to: [old], isReliable: true), as: ann, session: 1)
    driver.close(session: 2)
    driver.pushes = []
    let right = MatchReceiver(player: ben, seat: 12, sequence: 1)
    try driver.call(data([], to: [right], isReliable: true), as: ann, session: 1)
    #expect(driver.pushes.isEmpty)
  }

  @Test("3.9 acknowledgements reach the sender end to end")
  func acknowledgement() throws {
    var operation = AcknowledgeMatchData()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = 12
    operation.sender = ann
    operation.senderSeat = 11
    operation.through = 5
    try driver.call(operation, as: ben, session: 2)
    let pushes = try driver.takePushes(MatchDataAcknowledged.self)
    #expect(pushes.map(\.session) == [1])
    #expect(pushes.first?.event.receiver == ben)
    #expect(pushes.first?.event.receiverSeat == 12)
    #expect(pushes.first?.event.through == 5)
    operation.senderSeat = 10
    try driver.call(operation, as: ben, session: 2)
    #expect(driver.pushes.isEmpty)
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
