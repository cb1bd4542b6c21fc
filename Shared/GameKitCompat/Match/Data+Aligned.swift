internal import Foundation

extension Data {
  /// Data whose first byte is where any number may begin: games load numbers from what they
  /// receive, and `Data(bytes)` keeps a few bytes within itself, wherever it is.
  init(aligned bytes: [UInt8]) {
    if bytes.isEmpty {
      self.init()
      return
    }
    let place = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe place.copyBytes(from: bytes)
    guard let start = place.baseAddress else { preconditionFailure("It has bytes.") }
    unsafe self.init(
      bytesNoCopy: start, count: bytes.count,
      deallocator: .custom { start, _ in unsafe start.deallocate() })
  }
}
