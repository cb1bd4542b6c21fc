#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Leaves what a client sends in a handshake in the system's socket until it is whole records of
/// TLS.
///
/// The TLS library takes 73 KB for a handshake with the first byte that it reads, and keeps 16 KiB
/// of that for as long as it has the front of a record. So it is given whole records only, and is
/// not even made before the first. The system is told of how many bytes it is to tell: whoever
/// sends one byte, or one after the other, wakes nobody.
struct RecordGate {
  enum Outcome: Equatable {
    /// The library may read so many bytes: whole records, or what it will refuse.
    case passes(Int)
    /// The bytes are none of a handshake. The library may read them, to say what they are, and
    /// nothing else: it would wait for the rest of what they announce.
    case foreign(Int)
    /// The socket tells when what is missing has come.
    case waits
    /// The system has told of less than it was asked to, because it has too little memory. It would
    /// tell so again at once.
    case waitsUnasked
    case failed(String)
  }

  #if canImport(Glibc)
    /// Whether polling waits for as many bytes as it is told to.
    static let isSupported = true
    /// `POLLRDHUP`: the peer sends no more.
    private static let ended: Int16 = 0x2000
  #else
    static let isSupported = false
    private static let ended: Int16 = 0
  #endif
  /// A type, a version, and the number of the bytes that follow.
  static let headerSize = 5
  /// A record with the most that encryption may add to its 16 KiB.
  static let recordSizeMax = headerSize + (16 << 10) + 256
  private static let types: ClosedRange<UInt8> = 20...23
  private static let handshakeType: UInt8 = 22
  private static let helloType: UInt8 = 1
  /// A first message with all that clients say in it. The library has so much room from the start,
  /// and would make as much as a longer one announces.
  static let helloSizeMax = 16 << 10
  private static let majorVersion: UInt8 = 3

  /// How many bytes are to have come before the system tells of any.
  private(set) var lowWater = 1

  /// Returns how many of these bytes are whole records, and how many the next record has, as far as
  /// it is known; `isBroken` where what follows is no record. All of it is for the library then.
  @unsafe
  static func measure(_ bytes: UnsafeRawBufferPointer) -> (
    whole: Int, next: Int, isBroken: Bool
  ) {
    var whole = 0
    while bytes.count - whole >= headerSize {
      let size = unsafe headerSize + Int(bytes[whole + 3]) << 8 + Int(bytes[whole + 4])
      let isRecord = unsafe types.contains(bytes[whole]) && bytes[whole + 1] == majorVersion
      if !isRecord || size > recordSizeMax { return (bytes.count, headerSize, true) }
      if bytes.count - whole < size { return (whole, size, false) }
      whole += size
    }
    return (whole, headerSize, false)
  }

  /// Whether these records begin with the front of a first message that is not too long.
  @unsafe
  private static func beginsHandshake(_ records: UnsafeRawBufferPointer) -> Bool {
    let start = headerSize
    guard records.count >= start + 4 else { return false }
    let size =
      unsafe Int(records[start + 1]) << 16 + Int(records[start + 2]) << 8
      + Int(records[start + 3])
    return unsafe records[0] == handshakeType && records[start] == helloType
      && size <= helloSizeMax
  }

  /// Looks at what has come, and takes nothing of it.
  ///
  /// - Parameters:
  ///   - isFirst: the client has said nothing yet.
  ///   - room: where the bytes are put for this look, of `recordSizeMax` at least.
  @unsafe
  mutating func look(
    at descriptor: Int32, isFirst: Bool, in room: UnsafeMutableRawBufferPointer
  ) -> Outcome {
    let count = unsafe recv(descriptor, room.baseAddress, Self.recordSizeMax, Int32(MSG_PEEK))
    if count == 0 { return .failed("the peer went away") }
    if count < 0 {
      let error = SystemError(number: errno)
      if !error.isTryAgain { return .failed(error.text) }
      wait(for: Self.headerSize, at: descriptor)
      return .waits
    }
    let asked = lowWater
    let (whole, next, isBroken) = unsafe Self.measure(
      UnsafeRawBufferPointer(rebasing: room[..<count]))
    wait(for: next, at: descriptor)
    if whole > 0 {
      let records = unsafe UnsafeRawBufferPointer(rebasing: room[..<whole])
      let isForeign = unsafe isBroken || isFirst && !Self.beginsHandshake(records)
      return isForeign ? .foreign(count) : .passes(whole)
    }
    if count >= asked { return .waits }
    return Self.hasEnded(descriptor) ? .failed("the peer went away") : .waitsUnasked
  }

  /// Has the system tell of so many bytes, and not of fewer.
  mutating func wait(for byteCount: Int, at descriptor: Int32) {
    if !Self.isSupported || byteCount == lowWater { return }
    lowWater = byteCount
    SystemSocket.set(descriptor, SOL_SOCKET, SO_RCVLOWAT, Int32(byteCount))
  }

  private static func hasEnded(_ descriptor: Int32) -> Bool {
    var look = pollfd(fd: descriptor, events: ended, revents: 0)
    return unsafe poll(&look, 1, 0) > 0
  }
}
