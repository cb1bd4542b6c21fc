public import Wire

public enum PhotoKind: IdentifierKind { public static let name = "PhotoID" }

/// Names a photo by its content: the first half of the SHA-256 of its bytes. Whoever has read a
/// photo can check it, and need never read it again.
public typealias PhotoID = Identifier<PhotoKind>

extension PhotoID {
  public init(of bytes: [UInt8]) {
    var hash = SHA256()
    for byte in bytes { hash.add(byte) }
    self.init(hash)
  }

  package init(_ hash: SHA256) {
    let words = hash.finish()
    self.init(
      high: UInt64(words[0]) << 32 | UInt64(words[1]),
      low: UInt64(words[2]) << 32 | UInt64(words[3]))
  }
}

/// A player has one photo of each size, which the client makes: the server changes no picture.
public struct PhotoSize: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// For lists.
  public static let small = Self(rawValue: 0)
  public static let normal = Self(rawValue: 1)

  public static let names = ["small", "normal"]
}

public struct PhotoFormat: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let png = Self(rawValue: 1)
  public static let jpeg = Self(rawValue: 2)
  public static let webP = Self(rawValue: 3)

  public static let names = ["none", "png", "jpeg", "webP"]
}

/// The limits of photos: what a million players may make a deployment keep.
public enum PhotoLimits {
  public static let smallBytesMax = 32 << 10
  public static let normalBytesMax = 256 << 10
  /// Bytes of one piece. Every piece but the last has as many; with its call it fits in a client's
  /// frame. It is a multiple of what SHA-256 takes at a time.
  public static let pieceBytesMax = 32 << 10
  /// The width and height of a photo, in pixels.
  public static let sideMin = 16
  public static let smallSideMax = 256
  public static let normalSideMax = 1024
  /// How long after its last piece an upload that is not whole is kept.
  public static let uploadMilliseconds: Int64 = 600_000

  public static func bytesMax(of size: PhotoSize) -> Int {
    size == .small ? smallBytesMax : normalBytesMax
  }

  public static func sideMax(of size: PhotoSize) -> Int {
    size == .small ? smallSideMax : normalSideMax
  }

  /// How many pieces a photo has.
  public static func pieceCount(of byteCount: UInt32) -> UInt32 {
    (byteCount + UInt32(pieceBytesMax) - 1) / UInt32(pieceBytesMax)
  }
}
