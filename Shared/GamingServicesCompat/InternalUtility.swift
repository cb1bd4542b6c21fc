/// What games pass as `windowFinder`. This library draws nothing, so it needs no window.
public final class InternalUtility: Sendable {
  public static let shared = InternalUtility()
  private init() {}
}
