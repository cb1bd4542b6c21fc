internal import MusterKit

/// Runs `work` and calls the handler with its outcome, once, on the main actor.
@MainActor
func complete<Value>(
  _ handler: (@MainActor (Value?, (any Error)?) -> Void)?,
  _ work: @escaping @MainActor () async throws(GKError) -> Value
) {
  Task {
    do throws(GKError) {
      let value = try await work()
      handler?(value, nil)
    } catch {
      handler?(nil, error)
    }
  }
}

@MainActor
func complete(
  _ handler: (@MainActor ((any Error)?) -> Void)?,
  _ work: @escaping @MainActor () async throws(GKError) -> Void
) {
  Task {
    do throws(GKError) {
      try await work()
      handler?(nil)
    } catch {
      handler?(error)
    }
  }
}

/// Waits for a method with a completion handler: the async form that Swift gives to each of them.
@MainActor
func outcome<Value: Sendable>(
  _ work: (@escaping @MainActor (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    work { value, error in
      if let value, error == nil {
        continuation.resume(returning: value)
      } else {
        continuation.resume(throwing: error ?? GKError(.notFound, "There is no result."))
      }
    }
  }
}

@MainActor
func outcome(_ work: (@escaping @MainActor ((any Error)?) -> Void) -> Void) async throws {
  let _: Bool = try await outcome { handler in
    work { error in handler(error == nil, error) }
  }
}
