public import Wire

// What cameras and editors write beside a picture may say where and by whom it was taken. Whoever
// shows a photo to others seldom means to tell that, so no photo has it. Every camera has parts of
// its own: so a list says which parts a picture needs to be shown right, and no other may be there.

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
      place = part.isLast ? photo.count : next
    }
    kept += photo[place...]
    guard format == .webP, kept.count < photo.count else { return kept }
    // The header says how long the rest is, and which parts there are.
    let rest = kept.count - 8
    for index in 0..<4 { kept[4 + index] = UInt8(truncatingIfNeeded: rest >> (8 * index)) }
    if kept.count > 20, kept[12..<16].elementsEqual("VP8X".utf8) { kept[20] &= ~0x0C }
    return kept
  }

  /// Whether a photo has other parts than those of its picture, colours, resolution and animation,
  /// or anything behind its end.
  ///
  /// - Parameters:
  ///   - photo: its bytes from the first one on.
  ///   - byteCount: of the whole photo.
  public static func hasMetadata(_ photo: [UInt8], _ format: PhotoFormat, byteCount: Int) -> Bool {
    var search = MetadataSearch(format, byteCount: byteCount)
    return search.finds(in: photo, at: 0)
  }

  public static var metadata: Failure {
    bad("bytes", "The photo has metadata, which may tell a place: send the picture alone.")
  }
}

/// Looks for metadata in a photo that comes piece by piece.
public struct MetadataSearch: Sendable {
  private let format: PhotoFormat
  private let byteCount: Int
  /// Where the next part of the photo begins; nil when the search is over.
  public private(set) var next: Int?

  /// - Parameter byteCount: of the whole photo.
  public init(_ format: PhotoFormat, byteCount: Int) {
    self.init(format, byteCount: byteCount, next: format.firstPart)
  }

  /// Goes on where a search was.
  public init(_ format: PhotoFormat, byteCount: Int, next: Int?) {
    (self.format, self.byteCount, self.next) = (format, byteCount, next)
  }

  /// - Parameters:
  ///   - bytes: those of the photo from `start` on; the last `PhotoHeader.endBytes` before the
  ///     piece are there again, since a part's header may stand in two pieces.
  public mutating func finds(in bytes: [UInt8], at start: Int) -> Bool {
    while let place = next.map({ $0 - start }), place < bytes.count,
      min(place + PhotoPart.headerBytes, byteCount - start) <= bytes.count
    {
      guard place >= 0, let part = format.part(bytes, at: place) else {
        next = nil
        return false
      }
      if part.isMetadata { return true }
      let end = start + place + part.byteCount
      next = part.isLast ? nil : end
      if part.isLast { return end < byteCount }
    }
    return false
  }
}
