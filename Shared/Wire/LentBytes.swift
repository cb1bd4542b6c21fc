extension [UInt8] {
  /// A copy of bytes that are lent, for one who needs them for longer.
  @inlinable
  public init(copying bytes: RawSpan) {
    self = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }
}
