public import Transport

/// Something that only whoever may block can ask the system for, as of the last look at it;
/// confined to its loop.
///
/// A look may hang, such as that at a disk which does not answer. No other one is begun then, so
/// that it takes one thread of the pool and no more.
public final class RepeatedLook<Value: Sendable> {
  public private(set) var latest: Value
  private let loop: Loop
  private let look: @Sendable () -> Value
  private var isLooking = false

  /// Looks at once, on the loop, and from then on beside it for as long as this is there.
  public init(
    on loop: Loop, everyMilliseconds milliseconds: UInt64 = 10_000,
    _ look: @escaping @Sendable () -> Value
  ) {
    (self.loop, self.look) = (loop, look)
    latest = look()
    loop.every(milliseconds) { [weak self] in self?.lookAgain() }
  }

  private func lookAgain() {
    if isLooking { return }
    isLooking = true
    loop.work { [look] in
      look()
    } then: { [weak self] value in
      self?.isLooking = false
      self?.latest = value
    }
  }
}
