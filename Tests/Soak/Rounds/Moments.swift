/// Time that a load or a person takes: how long a round lasts, when in it a process dies. Never a
/// wait for something to happen.
public enum Moments {
  public static func pause(_ duration: Duration) async throws {
    try await ContinuousClock().sleep(for: duration)
  }
}
