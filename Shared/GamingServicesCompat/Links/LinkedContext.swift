internal import Locking
internal import MusterKit

/// The context of a link, which is the current one, with size 0, while it is loaded.
enum LinkedContext {
  private static let loading = Locked<GamingContext?>(nil)

  static var current: GamingContext? { loading.withLock { $0 } }

  /// Enters the context that a link names. It stays the current one when that succeeds; else the
  /// one from before is current again.
  @MainActor
  static func load(_ token: String) {
    guard let client = GamingServices.client,
      client.currentContext?.context.description != token,
      let context = GamingContext(identifier: token, size: 0)
    else { return }
    loading.withLock { $0 = context }
    Task {
      if let id = ContextID(token) {
        var operation = JoinContext()
        operation.context = id
        _ = try? await client.call(operation, deadline: nil)
      }
      // Another link may have come meanwhile.
      loading.withLock { if $0 === context { $0 = nil } }
    }
  }
}
