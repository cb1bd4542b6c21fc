public import MusterKit

/// What this library needs of a client; tests put another one in its place.
package protocol GamingServicesClient: Sendable {
  var session: SessionInfo? { get }
  var currentContext: ContextInfo? { get }
  /// The state of the connection now, and each later one.
  var states: AsyncStream<ConnectionState> { get }
  func call<O: Operation>(_ operation: O, deadline: Duration?) async throws(MusterError) -> O.Reply
}

extension GamingServicesClient {
  func call<O: Operation>(_ operation: O) async throws(GamingServicesError) -> O.Reply {
    do throws(MusterError) {
      return try await call(operation, deadline: nil)
    } catch {
      throw GamingServicesError(error)
    }
  }
}

extension MusterClient: GamingServicesClient {}
