/// A wait for people's eyes, never for something to happen.
enum Pause {
  static func wait(_ duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}
