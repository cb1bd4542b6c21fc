import Wire

enum SecretHash {
  /// Compares in a time that depends on the lengths alone.
  static func areEqual(_ left: Bytes, _ right: Bytes) -> Bool {
    var difference: UInt8 = left.array.count == right.array.count ? 0 : 1
    for index in 0..<min(left.array.count, right.array.count) {
      difference |= left.array[index] ^ right.array[index]
    }
    return difference == 0
  }
}
