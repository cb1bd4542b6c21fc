import Wire

/// A chunk or segment of a photo, or some bytes of a scan.
struct PhotoPart {
  /// How many bytes of a part say what it is.
  static let headerBytes = 8

  var byteCount: Int
  /// Whether the picture is shown right without it.
  var isMetadata = false
  /// Whether the photo ends behind it.
  var isLast = false
}

extension PhotoFormat {
  var firstPart: Int {
    switch self {
    case .png: 8
    case .jpeg: 2
    default: 12
    }
  }

  /// Returns the part that begins at a place; nil where nothing can be read.
  func part(_ bytes: [UInt8], at place: Int) -> PhotoPart? {
    let header = bytes[min(place, bytes.count)...].prefix(PhotoPart.headerBytes)
    if self == .jpeg { return jpegPart(bytes, header) }
    guard header.count == PhotoPart.headerBytes else { return nil }
    let (first, second) = (header.prefix(4), header.suffix(4))
    if self == .png {
      return PhotoPart(
        byteCount: 12 + first.reduce(0) { $0 << 8 | Int($1) },
        isMetadata: !Self.isOne(of: Self.pngNames, second),
        isLast: second.elementsEqual("IEND".utf8))
    }
    let size = second.reversed().reduce(0) { $0 << 8 | Int($1) }
    return PhotoPart(
      byteCount: 8 + size + size % 2, isMetadata: !Self.isOne(of: Self.webPNames, first))
  }

  /// ITU-T T.81, annex B. There may be segments before, between and behind scans, whose own bytes
  /// are followed by a zero where they look like a segment.
  private func jpegPart(_ bytes: [UInt8], _ header: ArraySlice<UInt8>) -> PhotoPart? {
    guard let first = header.first else { return nil }
    if first != 0xFF {
      let end = bytes[header.startIndex...].firstIndex(of: 0xFF) ?? bytes.count
      return PhotoPart(byteCount: end - header.startIndex)
    }
    guard let marker = header.dropFirst().first else { return nil }
    let length = header.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int($1) }
    let name = header.dropFirst(4)
    switch marker {
    case 0xFF: return PhotoPart(byteCount: 1)
    case 0x00, 0x01, 0xD0...0xD7: return PhotoPart(byteCount: 2)
    case 0xD8: return PhotoPart(byteCount: 2, isMetadata: true)
    case 0xD9: return PhotoPart(byteCount: 2, isLast: true)
    default:
      let isPicture =
        switch marker {
        case 0xC0...0xDF: true
        case 0xE0: name.elementsEqual("JFIF".utf8)
        case 0xE2: name.elementsEqual("ICC_".utf8)
        case 0xEE: name.elementsEqual("Adob".utf8)
        default: false
        }
      return PhotoPart(byteCount: 2 + max(2, length), isMetadata: !isPicture)
    }
  }

  private static func isOne(of names: [String], _ bytes: ArraySlice<UInt8>) -> Bool {
    names.contains { bytes.elementsEqual($0.utf8) }
  }

  /// RFC 2083 and the third edition of PNG: picture, colours, transparency, resolution, animation.
  private static let pngNames = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV",
    "cLLI", "bKGD", "hIST", "pHYs", "acTL", "fcTL", "fdAT",
  ]

  /// RFC 9649.
  private static let webPNames = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]
}
