public import Wire

/// The rules for a photo: a PNG, JPEG or WebP by its own bytes, whole, no larger than its size
/// allows, and without metadata. Clients may check them first; the server always does.
///
/// Only the header and the end are read: what is between them is decoded by those who show it.
public enum PhotoRules {
  /// Returns what is wrong with a photo; nil for a good one.
  public static func failure(in photo: [UInt8], as size: PhotoSize) -> Failure? {
    if let failure = failure(byteCount: photo.count, as: size) { return failure }
    let first = photo.prefix(PhotoLimits.pieceBytesMax)
    guard let header = PhotoHeader(Array(first), byteCount: photo.count) else { return noPhoto }
    if let failure = failure(in: header, as: size) { return failure }
    if !header.format.isEnd(Array(photo.suffix(PhotoHeader.endBytes))) { return notWhole }
    return hasMetadata(photo, header.format, byteCount: photo.count) ? metadata : nil
  }

  public static func failure(byteCount: Int, as size: PhotoSize) -> Failure? {
    if !size.isKnown { return bad("size", "The size \(size) is not known.") }
    let bytesMax = PhotoLimits.bytesMax(of: size)
    if (1...bytesMax).contains(byteCount) { return nil }
    return bad("byteCount", "A \(size) photo has 1 to \(bytesMax) bytes.")
  }

  public static func failure(in header: PhotoHeader, as size: PhotoSize) -> Failure? {
    let sides = PhotoLimits.sideMin...PhotoLimits.sideMax(of: size)
    if sides.contains(header.width) && sides.contains(header.height) { return nil }
    return bad(
      "bytes",
      "A \(size) photo is \(sides.lowerBound) to \(sides.upperBound) pixels wide and high, not "
        + "\(header.width) and \(header.height).")
  }

  public static var noPhoto: Failure {
    bad(
      "bytes",
      "The bytes are no PNG, JPEG or WebP that says its width and height within its first "
        + "\(PhotoLimits.pieceBytesMax) bytes.")
  }

  public static var notWhole: Failure { bad("bytes", "The photo ends before its picture does.") }

  public static var otherContent: Failure { bad("photo", "The photo's bytes have another hash.") }

  static func bad(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}

/// What a photo says of itself at its beginning.
public struct PhotoHeader: Equatable, Sendable {
  public let format: PhotoFormat
  public let width: Int
  public let height: Int

  /// - Parameters:
  ///   - first: the photo's first piece.
  ///   - byteCount: of the whole photo.
  public init?(_ first: [UInt8], byteCount: Int) {
    let reader = HeaderReader(bytes: first)
    guard let header = reader.png ?? reader.jpeg ?? reader.webP(byteCount) else { return nil }
    (format, width, height) = header
  }

  /// Bytes at the end of a photo that say whether it is whole.
  public static let endBytes = 12
}

extension PhotoFormat {
  /// Whether a photo is whole that ends like this.
  ///
  /// - Parameter end: its last `PhotoHeader.endBytes`.
  public func isEnd(_ end: [UInt8]) -> Bool {
    switch self {
    case .png: end == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    case .jpeg: end.suffix(2) == [0xFF, 0xD9]
    // Its header says how long it is.
    default: true
    }
  }
}

/// Reads the first bytes of a picture, none of which can be trusted.
private struct HeaderReader {
  typealias Found = (PhotoFormat, Int, Int)
  let bytes: [UInt8]

  /// RFC 2083: the signature, then the header chunk.
  var png: Found? {
    guard starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0),
      starts(with: [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52], at: 8),
      let width = bigEndian(16, 4), let height = bigEndian(20, 4)
    else { return nil }
    return (.png, width, height)
  }

  /// ITU-T T.81, annex B: segments, of which the one that begins the frame has the sides.
  var jpeg: Found? {
    guard starts(with: [0xFF, 0xD8], at: 0) else { return nil }
    var place = 2
    while place + 1 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      switch marker {
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD7: place += 2
      case 0x00, 0xD8...0xDA: return nil
      default:
        guard let length = bigEndian(place + 2, 2), length >= 2 else { return nil }
        if (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker) {
          guard length >= 8, let height = bigEndian(place + 5, 2),
            let width = bigEndian(place + 7, 2)
          else { return nil }
          return (.jpeg, width, height)
        }
        place += 2 + length
      }
    }
    return nil
  }

  /// RFC 9649: the RIFF header, then one of three chunks.
  func webP(_ byteCount: Int) -> Found? {
    guard starts(with: Array("RIFF".utf8), at: 0), starts(with: Array("WEBP".utf8), at: 8),
      let size = littleEndian(4, 4), size + 8 == byteCount
    else { return nil }
    if starts(with: Array("VP8X".utf8), at: 12), let width = littleEndian(24, 3),
      let height = littleEndian(27, 3)
    {
      return (.webP, width + 1, height + 1)
    }
    if starts(with: Array("VP8L".utf8), at: 12), starts(with: [0x2F], at: 20),
      let sides = littleEndian(21, 4)
    {
      return (.webP, (sides & 0x3FFF) + 1, (sides >> 14 & 0x3FFF) + 1)
    }
    if starts(with: Array("VP8 ".utf8), at: 12), starts(with: [0x9D, 0x01, 0x2A], at: 23),
      let width = littleEndian(26, 2), let height = littleEndian(28, 2)
    {
      return (.webP, width & 0x3FFF, height & 0x3FFF)
    }
    return nil
  }

  private func starts(with wanted: [UInt8], at place: Int) -> Bool {
    place + wanted.count <= bytes.count
      && bytes[place..<place + wanted.count].elementsEqual(wanted)
  }

  private func bigEndian(_ place: Int, _ count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func littleEndian(_ place: Int, _ count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
