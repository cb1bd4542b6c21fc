import Domain
import Operations
import Testing
import Wire

@testable import ServiceKit

/// Hints leave a process once, when what they tell of is durable, and nobody waits for them.
@Suite struct HintSenderTests {
  private let world = StillWorld()

  init() { world.isAlone = false }

  private func delivery(_ request: Request) throws -> DeliverHint {
    #expect(request.opcode == DeliverHint.opcode && request.envelope.principal.kind == .service)
    return try DeliverHint(decoding: request.body)
  }

  @Test("6.5 a hint goes to the player's key, as the event that it is")
  func delivery() throws {
    world.call(Whisper()) { _ in }
    let request = try #require(world.calls.first?.request)
    let delivery = try delivery(request)
    #expect(request.envelope.routingKey == RoutingKey(high: 5, low: 0))
    #expect(delivery.player == PlayerID(high: 5, low: 0))
    #expect(delivery.kind == Whispered.opcode.rawValue)
    #expect(delivery.body.array == Whispered().encoded)
    #expect(!request.envelope.idempotency.isPresent && request.envelope.source == nil)
  }

  @Test("6.5 7.1 no hint leaves before what its key did is durable")
  func afterCommit() throws {
    world.call(AddNote()) { _ in }
    world.call(Whisper()) { _ in }
    world.take(\.turns)
    #expect(world.calls.isEmpty && world.batches.count == 1)
    try world.commitOne()
    #expect(world.calls.count == 1)
  }

  @Test("a timer gives hints too")
  func ofTimer() throws {
    world.call(Later(due: 5, isWhispered: true)) { _ in }
    #expect(world.calls.isEmpty)
    world.clock = 5
    world.take(\.timers)
    #expect(try world.calls.map { try delivery($0.request).player } == [PlayerID(high: 5, low: 0)])
  }

  @Test("one that does not arrive is lost and counted; the outbox knows nothing of it")
  func once() throws {
    world.call(Whisper(count: 3)) { _ in }
    var answers: [Answer] = [
      .reply([]), .failure(Failure(.unavailable, "")), .failure(Failure(.rateLimited, "")),
    ]
    world.answer { _ in answers.removeFirst() }
    world.take(\.timers)
    #expect(world.calls.isEmpty && world.runner.droppedHintCount == 2)
    #expect(world.engine.openEffectCount == 0 && world.runner.isIdle)
  }

  @Test("a request service that hangs costs a bounded number of calls, until it answers")
  func bound() throws {
    let most = HintSender<StillWorld>.underWayMax
    world.call(Whisper(count: UInt32(most) + 5)) { _ in }
    #expect(world.calls.count == most && world.runner.droppedHintCount == 5)
    world.answer { _ in .reply([]) }
    world.call(Whisper()) { _ in }
    #expect(world.calls.count == 1 && world.runner.droppedHintCount == 5)
  }
}
