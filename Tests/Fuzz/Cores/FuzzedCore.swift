import Domain
import TestKit
import Wire

/// A service's core with its engine, whichever it is.
protocol FuzzedCore: AnyObject {
  var engine: Engine { get }
  var clock: Int64 { get set }
  /// The effects on other keys that are not delivered yet, the oldest first.
  var effects: [OutboxRow] { get }
  func answer(_ request: Request) throws -> [UInt8]
  func runTimers(atMost countMax: Int) -> [Failure]
  func close(session: UInt64)
  func settleFirstEffect(_ failure: Failure?)
  func startAnew() throws
}

extension CoreDriver: FuzzedCore {
  func startAnew() throws { try restart() }
}
