/// The bytes of an input as choices, one after the other: where the fuzzer changes a byte, it
/// changes a choice. Behind the last one all bytes are 0.
struct ByteSource {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isEmpty: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    if isEmpty { return 0 }
    place += 1
    return bytes[place - 1]
  }

  /// One of so many, by one byte, or by two where that is too few.
  mutating func choice(of count: Int) -> Int {
    let first = Int(byte())
    return (count <= 256 ? first : first << 8 + Int(byte())) % count
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  mutating func word() -> UInt64 { bytes(8).reduce(0) { $0 << 8 + UInt64($1) } }
}
