public import Wire

extension Identifier {
  /// A fixed identifier for tests. Its text ends with `number`, so that a failed comparison can be
  /// read.
  public static func sample(_ number: UInt64) -> Self {
    Identifier(high: 0x7e57_0000_0000_0000, low: number)
  }
}
