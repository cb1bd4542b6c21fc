import MusterKit

@testable import GamingServicesCompat

/// What a delegate was told, in order.
enum Told: Equatable {
  case completed
  case failed(FailureCode, String)
  case cancelled

  init(_ error: any Error) {
    let error = error as? GamingServicesError
    self = .failed(error?.failureCode ?? FailureCode(), error?.argument ?? "")
  }
}

/// Remembers every call, and lets a test wait for the next one.
@MainActor
final class ContextListener: ContextDialogDelegate {
  private(set) var told: [Told] = []
  private(set) var errors: [any Error] = []
  /// `GamingContext.current` when it was told.
  private(set) var current: GamingContext?
  private let stream = AsyncStream.makeStream(of: Told.self)

  func next() async -> Told? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }

  private func note(_ told: Told) {
    self.told.append(told)
    current = GamingContext.current
    stream.continuation.yield(told)
  }

  func contextDialogDidComplete(_ contextDialog: ContextWebDialog) { note(.completed) }
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error) {
    errors.append(error)
    note(Told(error))
  }
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog) { note(.cancelled) }
}

@MainActor
final class RequestListener: GameRequestDialogDelegate {
  private(set) var told: [Told] = []
  private(set) var errors: [any Error] = []
  private(set) var results: [String: Any] = [:]
  private let stream = AsyncStream.makeStream(of: Told.self)

  func next() async -> Told? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }

  private func note(_ told: Told) {
    self.told.append(told)
    stream.continuation.yield(told)
  }

  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didCompleteWithResults results: [String: Any]
  ) {
    self.results = results
    note(.completed)
  }
  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didFailWithError error: any Error
  ) {
    errors.append(error)
    note(Told(error))
  }
  func gameRequestDialogDidCancel(_ gameRequestDialog: GameRequestDialog) { note(.cancelled) }
}
