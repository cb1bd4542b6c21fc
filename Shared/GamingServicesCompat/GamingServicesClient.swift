public import MusterKit
internal import Wire

/// What this library needs of a client; tests put another one in its place.
package protocol GamingServicesClient: AnyObject, Sendable {
  var session: SessionInfo? { get }
  var currentContext: ContextInfo? { get }
  /// The state now and each one after it.
  var states: AsyncStream<ConnectionState> { get }
  /// Who has agreed to requests without a dialog, as far as is known; nil where nothing is.
  var frictionlessRecipients: Set<PlayerID>? { get }
  func keepFrictionlessRecipients() async
  func call<O: Wire.Operation>(_ operation: O, deadline: Duration?) async throws(MusterError)
    -> O.Reply
}

extension GamingServicesClient {
  func call<O: Wire.Operation>(_ operation: O) async throws(GamingServicesError) -> O.Reply {
    do throws(MusterError) {
      return try await call(operation, deadline: nil)
    } catch {
      throw GamingServicesError(error)
    }
  }
}

extension MusterClient: GamingServicesClient {}
