/// How the server has refused a call, or a session, for a time, before it did anything.
package struct PassingRefusal: Equatable {
  package var failure: Failure
  /// Whether the connection has stood since. After that it is not known any more whether the server
  /// would still refuse, and the refusal only tells of what came before.
  package var isLastWord = true

  init(_ failure: Failure) { self.failure = failure }
}

extension FailureCode {
  /// Whether the server refused for a time, before it did anything.
  var isPassingRefusal: Bool { [.rateLimited, .backpressure, .storageFull].contains(self) }
}
