import Domain
import Testing
import Wire

@testable import ServiceKit

/// Calls that have waited in the service until nobody waits for their answers any more.
@Suite struct LateCallTests {
  private let world = StillWorld()
  private var runner: EngineRunner<StillWorld> { world.runner }
  private var lateCount: UInt64 { runner.measures.late.value }

  private func code(_ answer: Answer) -> FailureCode? {
    guard case .failure(let failure) = answer else { return nil }
    return failure.code
  }

  @Test("a call that was held until its time was over is not run, and those behind it are")
  func held() throws {
    var codes: [FailureCode?] = []
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    world.call(AddNote(), deadline: 5_000) { codes.append(code($0)) }
    world.call(AddNote(), deadline: 6_001) { codes.append(code($0)) }
    world.microseconds = 6_000
    try world.commit()
    #expect(codes == [.deadlineExceeded, nil])
    #expect(world.core.count == 2 && lateCount == 1 && runner.isIdle)
  }

  @Test("a call that was held behind a read until its time was over is not run")
  func behindRead() throws {
    var codes: [FailureCode?] = []
    world.call(AddNote()) { _ in }
    try world.commit()
    world.call(ReadNotes()) { codes.append(code($0)) }
    world.call(AddNote(), deadline: 5_000) { codes.append(code($0)) }
    world.call(AddNote(), deadline: 9_000) { codes.append(code($0)) }
    world.microseconds = 6_000
    try world.commitAndRead()
    #expect(codes == [nil, .deadlineExceeded, nil])
    #expect(world.core.count == 2 && lateCount == 1 && runner.isIdle)
  }

  @Test("a call whose time is over between two of its reads reads no more, and lets others run")
  func betweenReads() throws {
    var codes: [FailureCode?] = []
    var dawdle = Dawdle()
    dawdle.turns = 3
    world.call(dawdle, deadline: 5_000) { codes.append(code($0)) }
    world.call(AddNote()) { codes.append(code($0)) }
    world.take(\.reads)
    #expect(codes.isEmpty && world.reads.count == 1)
    world.microseconds = 5_000
    world.take(\.reads)
    try world.commit()
    #expect(codes == [.deadlineExceeded, nil] && world.reads.isEmpty)
    #expect(world.core.count == 1 && lateCount == 1 && runner.isIdle)
  }

  @Test("a read for which its rows come too late is not run with them")
  func lateRows() throws {
    var codes: [FailureCode?] = []
    world.call(AddNote()) { _ in }
    try world.commit()
    world.call(ReadNotes(), deadline: 5_000) { codes.append(code($0)) }
    world.microseconds = 5_000
    world.take(\.reads)
    #expect(codes == [.deadlineExceeded] && lateCount == 1 && runner.isIdle)
  }

  @Test("what nobody waits for, such as an effect, is run however late it is")
  func noDeadline() throws {
    var codes: [FailureCode?] = []
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    world.call(AddNote(), as: .service) { codes.append(code($0)) }
    world.microseconds = 3_600_000_000
    try world.commit()
    #expect(codes == [nil] && world.core.count == 2 && lateCount == 0)
  }
}
