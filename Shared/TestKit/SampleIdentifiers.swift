public import Wire

extension Identifier {
  /// A fixed identifier for tests: easy to tell apart in a failure.
  public static func sample(_ number: UInt64) -> Self {
    Identifier(high: 0x7e57_0000_0000_0000, low: number)
  }
}
