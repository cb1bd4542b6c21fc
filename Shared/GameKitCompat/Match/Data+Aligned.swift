internal import Foundation

extension Data {
  /// Data keeps up to 14 bytes within its value, which may be anywhere; more are allocated.
  private static let allocatedMin = 32

  /// Data whose first byte is where any number may begin: games load numbers from what they
  /// receive. An allocation begins at such a place, so even a few bytes get one.
  init(aligned bytes: [UInt8]) {
    self.init(capacity: Swift.max(bytes.count, Self.allocatedMin))
    append(contentsOf: bytes)
  }
}
