import Testing
import Wire

/// Expects that `call` is refused with a code that names an argument.
func expectRefusal(
  _ code: FailureCode, _ argument: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ call: () throws -> Void
) {
  do {
    try call()
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch let failure as Failure {
    #expect(failure.code == code, "\(failure)", sourceLocation: sourceLocation)
    #expect(failure.argument == argument, "\(failure)", sourceLocation: sourceLocation)
    #expect(!failure.text.isEmpty, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

/// Four players who are easy to tell apart in a failure.
enum Players {
  static let ada = PlayerID(high: 1, low: 0xada)
  static let bob = PlayerID(high: 1, low: 0xb0b)
  static let cleo = PlayerID(high: 1, low: 0xc1e0)
  static let dan = PlayerID(high: 1, low: 0xda)
}
