/// How a dialog has ended.
public enum DialogOutcome<Answer> {
  case answered(Answer)
  /// The player has closed it.
  case cancelled
  case failed(any Error)
  /// Nobody has answered in time. Whoever shows the dialog may still do so, and is not heard.
  case timedOut
}

extension DialogOutcome: Sendable where Answer: Sendable {}

/// Shows a dialog and waits until it has ended: once, whatever the presenter does.
///
/// - Parameters:
///   - limit: how long the player has. A presenter that never answers would keep the next dialog
///     from being shown.
///   - present: shows the dialog, and returns nil when the player has closed it. Its task is
///     cancelled when nobody waits for it any more.
@MainActor
public func dialogOutcome<Answer: Sendable>(
  within limit: Duration, _ present: @escaping @MainActor () async throws -> Answer?
) async -> DialogOutcome<Answer> {
  let (outcomes, ending) = AsyncStream.makeStream(
    of: DialogOutcome<Answer>.self, bufferingPolicy: .bufferingOldest(1))
  let presenting = Task {
    do {
      let answer = try await present()
      ending.yield(answer.map { .answered($0) } ?? .cancelled)
    } catch is CancellationError {
      ending.yield(.cancelled)
    } catch {
      ending.yield(.failed(error))
    }
  }
  let waiting = Task {
    do { try await Task.sleep(for: limit) } catch { return }
    ending.yield(.timedOut)
  }
  defer {
    presenting.cancel()
    waiting.cancel()
  }
  for await outcome in outcomes { return outcome }
  return .cancelled
}
