import Testing
import Wire

struct RemedyTests {
  private var codes: [FailureCode] {
    FailureCode.names.indices.dropFirst().map { FailureCode(rawValue: UInt8($0)) }
  }

  @Test func everyCodeSaysWhatToDo() {
    for code in codes { #expect(code.knownRemedy != nil, "\(code)") }
    for remedy in Remedy.allCases { #expect(codes.contains { $0.remedy == remedy }, "\(remedy)") }
    #expect(FailureCode(rawValue: 250).remedy == .changeCall)
  }

  /// Effects, timers and clients go on trying after these and no others.
  @Test func passingReasons() {
    let passing: [FailureCode] = [
      .unavailable, .deadlineExceeded, .rateLimited, .backpressure, .storageFull, .wrongPartition,
      .disconnected, .outOfOrder,
    ]
    #expect(codes.filter(\.isTransient) == passing)
    // A call that is never repeated unchanged, and one that no client sees, are not among those.
    #expect(!FailureCode.floorTooLow.isTransient && !FailureCode.notOpen.isTransient)
  }
}
