import Operations
import Testing
import Wire

/// Which parts of a photo may stay, byte by byte.
@Suite struct PhotoMetadataTests {
  @Test(
    "2.9 what tells more than the picture is metadata, whatever its name",
    arguments: MadePhoto.hiding)
  func hidden(_ what: String, _ photo: [UInt8]) {
    #expect(PhotoRules.failure(in: photo, as: .normal) == PhotoRules.metadata, "\(what)")
    let clean = PhotoRules.withoutMetadata(photo)
    #expect(PhotoRules.failure(in: clean, as: .normal) == nil, "\(what)")
    #expect(!clean.contains(UInt8(ascii: "@")), "\(what)")
    #expect(PhotoRules.withoutMetadata(clean) == clean)
  }

  @Test("2.9 what a picture needs to be shown right is no metadata", arguments: MadePhoto.plain)
  func plain(_ what: String, _ photo: [UInt8]) {
    #expect(PhotoRules.failure(in: photo, as: .normal) == nil, "\(what)")
    #expect(PhotoRules.withoutMetadata(photo) == photo, "\(what)")
  }
}

/// Pictures of 32 x 32, of which all that is to go has at signs, which are nowhere else.
private enum MadePhoto {
  private static let secret = [UInt8](repeating: UInt8(ascii: "@"), count: 22)

  static let hiding: [(String, [UInt8])] =
    ["eXIf", "tEXt", "zTXt", "iTXt", "tIME", "caBX", "prVt"].map { name in
      ("PNG \(name)", png(before: pngChunk(name, secret)))
    } + [
      ("PNG behind its end", png(behind: secret + pngEnd)),
      ("PNG chunks behind its end", png(behind: pngChunk("IDAT", secret) + pngEnd)),
    ]
    + ([0xE1, 0xFE] + (0xE3...0xED) + [0xEF] as [UInt8]).map { marker in
      ("JPEG \(marker)", jpeg(before: segment(marker, secret)))
    } + [
      ("JPEG more pictures", jpeg(before: segment(0xE2, Array("MPF\0".utf8) + secret))),
      ("JPEG preview", jpeg(before: segment(0xE0, Array("JFXX\0".utf8) + secret))),
      ("JPEG between scans", jpeg(scans: segment(0xE1, secret))),
      ("JPEG comment between scans", jpeg(scans: segment(0xFE, secret))),
      ("JPEG behind its end", jpeg(behind: secret + [0xFF, 0xD9])),
      ("JPEG second picture", jpeg(behind: jpeg(before: segment(0xE1, secret)))),
    ]
    + ["EXIF", "XMP ", "C2PA", "abcd"].map { name in
      ("WebP \(name)", webP(behind: webPChunk(name, secret)))
    }

  static let plain: [(String, [UInt8])] = [
    ("PNG", png(before: pngChunk("iCCP", [1, 2]) + pngChunk("tRNS", [3]))),
    (
      "JPEG",
      jpeg(
        before: segment(0xE0, Array("JFIF\0".utf8)) + segment(0xE2, Array("ICC_PROFILE\0".utf8))
          + segment(0xEE, Array("Adobe".utf8)), scans: segment(0xC4, [1, 2, 3]))
    ),
    ("WebP", webP(behind: webPChunk("ICCP", [1]) + webPChunk("ALPH", [1, 2]))),
  ]

  private static let pngEnd: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  private static func pngChunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [1, 2, 3, 4]
  }

  private static func png(before: [UInt8] = [], behind: [UInt8] = []) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + pngChunk("IHDR", [0, 0, 0, 32, 0, 0, 0, 32, 8, 2, 0, 0, 0]) + before
      + pngChunk("IDAT", [7, 7, 7]) + pngEnd + behind
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker, 0, UInt8(data.count + 2)] + data
  }

  private static func jpeg(
    before: [UInt8] = [], scans: [UInt8] = [], behind: [UInt8] = []
  ) -> [UInt8] {
    // Within a scan, a 0xFF is stuffed with a zero, or is a restart.
    let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [7, 0xFF, 0, 7, 0xFF, 0xD3, 7]
    return [0xFF, 0xD8] + before + segment(0xC2, [8, 0, 32, 0, 32, 1, 1, 0x11, 0]) + scan + scans
      + scan + [0xFF, 0xD9] + behind
  }

  private static func webPChunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [UInt8(data.count), 0, 0, 0] + data + (data.count % 2 == 0 ? [] : [0])
  }

  private static func webP(behind: [UInt8]) -> [UInt8] {
    let body =
      Array("WEBP".utf8) + webPChunk("VP8X", [0x0C, 0, 0, 0, 31, 0, 0, 31, 0, 0])
      + webPChunk("VP8 ", [7, 7]) + behind
    return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
  }
}
