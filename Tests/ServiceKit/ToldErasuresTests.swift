import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// Other processes are told of an erased player until they take it (rule 7.3).
@Suite struct ToldErasuresTests {
  private let world = StillWorld()
  private let asked = RoutingKey(high: 0, low: 7)
  /// The key that `Forward` has its effects on.
  private let target = RoutingKey(high: 0, low: 77)

  private func erase() throws {
    world.isAlone = false
    world.core.toldKeys = [target]
    var operation = EraseNotes()
    (operation.key, operation.player) = (asked, PlayerID(high: 3, low: 3))
    operation.standIn = PlayerID(high: 4, low: 4)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.routingKey = asked
    world.runner.submit(
      Request(opcode: EraseNotes.opcode, envelope: envelope, body: operation.encoded)
    ) { _ in }
    try settle()
  }

  private func settle() throws {
    while !world.turns.isEmpty || !world.batches.isEmpty || !world.reads.isEmpty {
      try world.commitAndRead()
    }
  }

  private var toldCount: Int { world.calls.count { $0.request.opcode == EraseNotes.opcode } }

  @Test("7.3 who refuses an erasure for good is told again, and others do not wait behind it")
  func refused() throws {
    try erase()
    #expect(toldCount == 1)
    let older = Answer.failure(Failure(.unknownOperation, "What is that?"))
    for round in 1...5 {
      var forward = Forward()
      forward.count = 1
      world.call(forward, key: asked.low) { _ in }
      try settle()
      #expect(world.calls.count == toldCount + 1, "it goes at once")
      var others = 0
      world.answer { request in
        if request.opcode == EraseNotes.opcode { return older }
        others += 1
        return .reply([])
      }
      #expect(others == 1 && world.engine.openEffectCount == 1, "round \(round)")
      try settle()
      world.clock += 1_000
      for _ in 0..<EffectQueue.waitRoundsMax where toldCount == 0 {
        world.take(\.timers)
        try settle()
      }
      #expect(toldCount == 1)
    }
    world.answer { _ in .reply([]) }
    try settle()
    #expect(world.engine.openEffectCount == 0 && world.engine.parkedEffectCount == 0)
  }

  @Test("7.3 an erasure for a service that is left out is neither parked nor in the outbox")
  func leftOut() throws {
    world.leavesOut = true
    try erase()
    #expect(world.calls.isEmpty && world.engine.openEffectCount == 0)
    #expect(world.engine.parkedEffectCount == 0 && world.engine.untoldErasureCount == 1)
  }
}
