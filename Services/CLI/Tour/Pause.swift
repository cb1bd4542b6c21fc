/// A pause so that people can follow; the tour never waits for something to happen by it.
enum Pause {
  static func wait(_ duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}
