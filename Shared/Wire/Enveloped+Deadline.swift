extension Enveloped {
  /// Where the time that is left stands in the body of a request: after the length of the envelope
  /// and the low half of the trace, in either envelope.
  static var deadlineOffset: Int { 4 + 8 }

  /// Writes how much time is left into the body of a request that has waited on its way. One that
  /// has less stays as it is, and so does one that has no deadline.
  ///
  /// - Parameter left: 0 is written as 1, since it would stand for no deadline.
  public static func limitDeadline(of body: inout [UInt8], toMilliseconds left: UInt32) {
    let place = deadlineOffset..<deadlineOffset + 4
    guard body.count >= place.upperBound else { return }
    let stated = body[place].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let left = max(left, 1)
    if stated <= left { return }
    for (index, offset) in place.enumerated() {
      body[offset] = UInt8(truncatingIfNeeded: left >> UInt32(24 - 8 * index))
    }
  }
}
