/// A pause so that people can follow, or between two looks; the tour takes nothing to have happened
/// because of it.
enum Pause {
  static func wait(_ duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}
