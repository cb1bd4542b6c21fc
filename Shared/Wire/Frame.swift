/// The kinds of frames.
public enum FrameKind: UInt8, Sendable {
  /// A call; it is answered by exactly one `reply` or `error` with the same correlation.
  case request = 0
  case reply = 1
  case error = 2
  /// A push, which nobody asked for; its correlation is 0.
  case event = 3
  /// Keeps a connection alive. It is answered by a ping with correlation 0, which is not answered.
  case ping = 4
}

/// The first twelve bytes of every frame, big-endian:
/// `UInt32 length | UInt8 version | UInt8 kind | UInt16 opcode | UInt32 correlation`.
///
/// `length` counts everything after itself, so a frame without a body has length 8.
public struct FrameHeader: Equatable, Sendable {
  public var kind: FrameKind
  public var opcode: UInt16
  /// A number that the caller chooses, unique among its open requests on this connection.
  public var correlation: UInt32

  @inlinable
  public init(kind: FrameKind, opcode: UInt16, correlation: UInt32) {
    self.kind = kind
    self.opcode = opcode
    self.correlation = correlation
  }
}

/// What stands at the front of the bytes that were received so far.
public enum FrameParse: Equatable, Sendable {
  /// A part of a frame; `needed` is the number of bytes of the whole frame, or of its header.
  case incomplete(needed: Int)
  /// A whole frame: its header, and the number of bytes of its body, which follows the header.
  case frame(FrameHeader, bodyCount: Int)
  /// Framing is lost: the connection must close.
  case broken(WireError)
}

extension FrameHeader {
  /// Parses the front of `buffer`, without copying or allocating.
  ///
  /// The length is checked against `sizeMax` before anything is sized by it.
  @inlinable
  public static func parse(_ buffer: UnsafeRawBufferPointer, sizeMax: Int) -> FrameParse {
    guard buffer.count >= 4 else { return .incomplete(needed: WireLimits.frameHeaderSize) }
    let length = unsafe UInt32(
      bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    guard length >= WireLimits.frameHeaderSizeAfterLength, Int(length) + 4 <= sizeMax else {
      return .broken(.lengthOverLimit(UInt64(length)))
    }
    guard buffer.count >= WireLimits.frameHeaderSize else {
      return .incomplete(needed: Int(length) + 4)
    }
    let version = unsafe buffer[4]
    guard version == WireLimits.version else { return .broken(.unsupportedVersion(version)) }
    let rawKind = unsafe buffer[5]
    guard let kind = FrameKind(rawValue: rawKind) else { return .broken(.unknownKind(rawKind)) }
    guard buffer.count >= Int(length) + 4 else { return .incomplete(needed: Int(length) + 4) }
    let opcode = unsafe UInt16(
      bigEndian: buffer.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    let correlation = unsafe UInt32(
      bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    return .frame(
      FrameHeader(kind: kind, opcode: opcode, correlation: correlation),
      bodyCount: Int(length) - WireLimits.frameHeaderSizeAfterLength)
  }

  /// Writes the twelve header bytes of a frame with a body of `bodyCount` bytes.
  @inlinable
  public func write(to buffer: UnsafeMutableRawBufferPointer, bodyCount: Int) {
    let length = UInt32(bodyCount + WireLimits.frameHeaderSizeAfterLength)
    unsafe buffer.storeBytes(of: length.bigEndian, toByteOffset: 0, as: UInt32.self)
    unsafe buffer.storeBytes(of: WireLimits.version, toByteOffset: 4, as: UInt8.self)
    unsafe buffer.storeBytes(of: kind.rawValue, toByteOffset: 5, as: UInt8.self)
    unsafe buffer.storeBytes(of: opcode.bigEndian, toByteOffset: 6, as: UInt16.self)
    unsafe buffer.storeBytes(of: correlation.bigEndian, toByteOffset: 8, as: UInt32.self)
  }

  /// The whole frame as bytes, for tests and for paths that are not hot.
  public func frame(body: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: WireLimits.frameHeaderSize)
    unsafe bytes.withUnsafeMutableBytes { unsafe write(to: $0, bodyCount: body.count) }
    return bytes + body
  }
}
