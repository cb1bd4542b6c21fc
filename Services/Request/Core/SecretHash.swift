import Operations
import Wire

enum SecretHash {
  /// True when the stored hash is among those of a secret, which are one for each key. It takes as
  /// long when nothing is stored, or when no hash was made with the stored one's key.
  static func isAmong(_ hashes: [KeyedHash], _ stored: KeyedHash?) -> Bool {
    let given = hashes.first { $0.keyNumber == stored?.keyNumber } ?? hashes.first
    let expected = stored?.hash ?? Bytes([UInt8](repeating: 0, count: 32))
    let isEqual = areEqual(expected, given?.hash ?? Bytes())
    return isEqual && stored != nil && given?.keyNumber == stored?.keyNumber
  }

  /// Compares in a time that depends on the lengths alone.
  private static func areEqual(_ left: Bytes, _ right: Bytes) -> Bool {
    var difference: UInt8 = left.array.count == right.array.count ? 0 : 1
    for index in 0..<min(left.array.count, right.array.count) {
      difference |= left.array[index] ^ right.array[index]
    }
    return difference == 0
  }
}

extension OpenSession {
  /// Returns the hash to store of a device whose secret is right: under the gateway's current key
  /// where the stored one has an older key. Numbers only grow, so that gateways with different
  /// current keys do not undo what the others have done.
  func newerHash(than stored: KeyedHash) -> KeyedHash {
    guard currentKeyNumber > stored.keyNumber else { return stored }
    return secretHashes.first { $0.keyNumber == currentKeyNumber } ?? stored
  }
}
