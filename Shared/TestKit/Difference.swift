/// Where two sequences differ first, in one line however long they are; nil when they are the same.
public func firstDifference<Element: Equatable>(
  _ found: some Collection<Element>, _ wanted: some Collection<Element>
) -> String? {
  for (place, (left, right)) in zip(found, wanted).enumerated() where left != right {
    return "at \(place) of \(wanted.count): \(shortened(left)) is not \(shortened(right))"
  }
  return found.count == wanted.count ? nil : "\(found.count) where \(wanted.count) are wanted"
}

private func shortened(_ value: some Any) -> String {
  let text = "\(value)"
  return text.count <= 200 ? text : "\(text.prefix(200))…"
}

// A program that carries Swift's runtime in itself is built without Testing.
#if canImport(Testing)
  public import Testing

  /// `#expect(found == wanted)` for what may be long: a failure says the first difference, where
  /// the macro would print megabytes of both.
  public func expectSame<Element: Equatable>(
    _ found: some Collection<Element>, _ wanted: some Collection<Element>,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let difference = firstDifference(found, wanted) else { return }
    let text = comment().map { "\($0): \(difference)" } ?? difference
    Issue.record("\(text)", sourceLocation: sourceLocation)
  }

  extension Trait where Self == TimeLimitTrait {
    /// For tests that wait for something: one that never comes fails them, instead of holding up
    /// the whole run.
    ///
    /// All tests run side by side and this counts by the clock on the wall, also while others have
    /// the processor. So the limit is longer than any whole run of the tests takes on two cores:
    /// only what hangs gets there.
    public static var endsAtLast: Self { .timeLimit(.minutes(30)) }
  }
#endif
