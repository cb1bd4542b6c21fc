internal import Dialogs

extension DialogOutcome {
  /// Goes on with the answer; every other end stays what it is.
  @MainActor
  func then<Next>(_ next: @MainActor (Answer) async throws -> Next) async -> DialogOutcome<Next> {
    switch self {
    case .answered(let answer):
      do { return .answered(try await next(answer)) } catch { return .failed(error) }
    case .cancelled: return .cancelled
    case .failed(let error): return .failed(error)
    case .timedOut: return .timedOut
    }
  }
}
