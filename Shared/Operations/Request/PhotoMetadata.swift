public import Wire

// What cameras and editors write beside a picture may say where and by whom it was taken. Whoever
// shows a photo to others seldom means to tell that, so no photo has it.

extension PhotoRules {
  /// Returns a photo without its metadata; see `hasMetadata`. How the picture is to be turned is a
  /// part of it: a client turns the picture itself. What is no picture comes back as it is.
  public static func withoutMetadata(_ photo: [UInt8]) -> [UInt8] {
    guard let format = PhotoHeader(photo, byteCount: photo.count)?.format else { return photo }
    var place = format.firstPart
    var kept = Array(photo[..<place])
    while let part = format.part(photo, at: place), place + part.byteCount <= photo.count {
      let next = place + part.byteCount
      if !part.isMetadata { kept += photo[place..<next] }
      place = next
    }
    kept += photo[place...]
    guard format == .webP, kept.count < photo.count else { return kept }
    // The header says how long the rest is, and which parts there are.
    let rest = kept.count - 8
    for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: rest >> (8 * index)) }
    if kept.count > 20, kept[12..<16].elementsEqual("VP8X".utf8) { kept[20] &= ~0x0C }
    return kept
  }

  /// Whether a photo has the parts that hold metadata: APP1 or APP13 of a JPEG before its picture,
  /// `eXIf`, `tEXt`, `zTXt` or `iTXt` of a PNG, `EXIF` or `XMP ` of a WebP.
  public static func hasMetadata(_ photo: [UInt8], _ format: PhotoFormat) -> Bool {
    var search = MetadataSearch(format)
    return search.finds(in: photo, at: 0)
  }

  public static var metadata: Failure {
    bad("bytes", "The photo has metadata, which may tell a place: send the picture alone.")
  }
}

/// Looks for metadata in a photo that comes piece by piece.
public struct MetadataSearch: Sendable {
  private let format: PhotoFormat
  /// Where the next part of the photo begins; nil behind those that are looked at.
  public private(set) var next: Int?

  public init(_ format: PhotoFormat) { (self.format, next) = (format, format.firstPart) }

  /// Goes on where a search was.
  public init(_ format: PhotoFormat, next: Int?) { (self.format, self.next) = (format, next) }

  /// - Parameters:
  ///   - bytes: those of the photo from `start` on; the last `PhotoHeader.endBytes` before the
  ///     piece are there again, since a part's header may stand in two pieces.
  public mutating func finds(in bytes: [UInt8], at start: Int) -> Bool {
    while let place = next.map({ $0 - start }), place + format.partHeaderBytes <= bytes.count {
      guard place >= 0, let part = format.part(bytes, at: place) else {
        next = nil
        return false
      }
      if part.isMetadata { return true }
      next = start + place + part.byteCount
    }
    return false
  }
}

extension PhotoFormat {
  fileprivate var firstPart: Int {
    switch self {
    case .png: 8
    case .jpeg: 2
    default: 12
    }
  }

  fileprivate var partHeaderBytes: Int { self == .jpeg ? 4 : 8 }

  /// The chunk or segment that begins at a place; nil where the picture itself does, or nothing
  /// that can be read.
  fileprivate func part(_ bytes: [UInt8], at place: Int) -> (byteCount: Int, isMetadata: Bool)? {
    guard place + partHeaderBytes <= bytes.count else { return nil }
    func number(_ place: Int, _ count: Int) -> Int {
      bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    func isOne(of names: [String], at place: Int) -> Bool {
      names.contains { bytes[place..<place + 4].elementsEqual($0.utf8) }
    }
    switch self {
    case .png:
      let isMetadata = isOne(of: ["eXIf", "tEXt", "zTXt", "iTXt"], at: place + 4)
      return (12 + number(place, 4), isMetadata)
    case .webP:
      let size = (0..<4).reduce(0) { $0 | Int(bytes[place + 4 + $1]) << (8 * $1) }
      return (8 + size + size % 2, isOne(of: ["EXIF", "XMP "], at: place))
    default:
      guard bytes[place] == 0xFF else { return nil }
      switch bytes[place + 1] {
      case 0xFF: return (1, false)
      case 0x01, 0xD0...0xD7: return (2, false)
      case 0x00, 0xD8...0xDA: return nil
      case let marker: return (2 + max(2, number(place + 2, 2)), [0xE1, 0xED].contains(marker))
      }
    }
  }
}
