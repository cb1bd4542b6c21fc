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
