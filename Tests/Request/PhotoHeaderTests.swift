import Operations
import TestKit
import Testing
import Wire

/// What is read of pictures, byte by byte.
@Suite struct PhotoHeaderTests {
  @Test("2.9 the three forms of WebP say their sides")
  func webP() {
    func riff(_ chunk: String, _ rest: [UInt8]) -> [UInt8] {
      let body = Array("WEBP".utf8) + Array(chunk.utf8) + [0, 0, 0, 0] + rest
      return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    }
    // 300 x 200, from what an encoder writes.
    let lossy = riff("VP8 ", [0x10, 0x02, 0x00, 0x9D, 0x01, 0x2A, 0x2C, 0x01, 0xC8, 0x00])
    let lossless = riff("VP8L", [0x2F, 0x2B, 0xC1, 0x31, 0x00, 0x00])
    let extended = riff("VP8X", [0, 0, 0, 0, 0x2B, 0x01, 0x00, 0xC7, 0x00, 0x00])
    for picture in [lossy, lossless, extended] {
      let header = PhotoHeader(picture, byteCount: picture.count)
      #expect(header?.format == .webP && header?.width == 300 && header?.height == 200)
      #expect(PhotoHeader(picture, byteCount: picture.count + 1) == nil)
    }
  }

  @Test("2.9 no prefix of a header and no changed byte of it is read beyond its end")
  func truncated() {
    for format in SamplePhoto.formats {
      let picture = SamplePhoto.bytes(format, count: 120, width: 64, height: 32)
      for count in 0..<24 {
        let cut = Array(picture.prefix(count))
        let header = PhotoHeader(cut, byteCount: picture.count)
        #expect(header == nil || header?.width == 64)
      }
      for place in 0..<40 {
        for value in [UInt8(0), 0x7F, 0xFF] {
          var changed = picture
          changed[place] = value
          _ = PhotoHeader(changed, byteCount: changed.count)
          _ = PhotoHeader(Array(changed.prefix(place + 1)), byteCount: changed.count)
        }
      }
    }
  }

  @Test("2.9 a JPEG whose frame does not begin within the first piece is none")
  func lateFrame() {
    let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533)
    let picture = SamplePhoto.bytes(.jpeg, count: 200, width: 64, height: 32)
    let late = picture.prefix(2) + comment + picture.dropFirst(2)
    #expect(PhotoRules.failure(in: Array(late), as: .normal)?.argument == "bytes")
    #expect(PhotoHeader(Array(late), byteCount: late.count)?.width == 64)
  }

  @Test("2.9 a photo's name is the first half of its SHA-256, also when hashed in two parts")
  func name() {
    // FIPS 180-4, "abc".
    #expect(
      PhotoID(of: Array("abc".utf8)) == PhotoID(high: 0xba7816bf8f01cfea, low: 0x414140de5dae2223))
    let bytes = (0..<200).map { UInt8($0) }
    var front = SHA256()
    for byte in bytes[..<128] { front.add(byte) }
    var rest = SHA256(state: front.state, byteCount: 128)
    for byte in bytes[128...] { rest.add(byte) }
    var whole = SHA256()
    for byte in bytes { whole.add(byte) }
    #expect(rest.finish() == whole.finish())
  }
}
