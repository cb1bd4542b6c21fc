import Domain
import Operations
@testable import RequestCore
import TestKit
import Testing
import Wire

@Suite struct PhotoTests {
  let world = World()

  /// Puts pieces one after the other; returns the last reply.
  @discardableResult
  private func put(_ pieces: [PutPhotoPiece], as player: PlayerID) throws -> PutPhotoPiece.Reply {
    var reply = PutPhotoPiece.Reply()
    for piece in pieces { reply = try world.driver.call(piece, as: player) }
    return reply
  }

  private func refusal(_ piece: PutPhotoPiece, as player: PlayerID) throws -> String {
    var fault = PhotoFault.none
    let failure = try failure { fault = try world.driver.call(piece, as: player).fault }
    return failure.map { "\($0.code) \($0.argument)" } ?? "\(fault)"
  }

  /// Reads a whole photo, as a client does.
  private func read(_ photo: PhotoID, of player: PlayerID, as reader: PlayerID) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var read = ReadPhoto()
    (read.player, read.photo) = (player, photo)
    repeat {
      read.offset = UInt32(bytes.count)
      let reply = try world.driver.call(read, as: reader)
      bytes += reply.bytes.array
      if bytes.count == reply.byteCount { return bytes }
    } while true
  }

  private var pieceRows: Int { world.driver.rows[34]?.count ?? 0 }
  private var uploadRows: Int { world.driver.rows[33]?.count ?? 0 }

  @Test(
    "2.9 a photo of each format goes up in pieces and is read back by its content",
    arguments: SamplePhoto.formats)
  func whole(format: PhotoFormat) throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    let normal = SamplePhoto.bytes(format, count: 100_001, width: 640, height: 480)
    let small = SamplePhoto.bytes(format, count: 3_000, width: 64, height: 48)
    #expect(PhotoRules.failure(in: normal, as: .normal) == nil)
    let pieces = PutPhotoPiece.pieces(of: normal, as: .normal)
    #expect(pieces.map(\.offset) == [0, 32_768, 65_536, 98_304])
    let first = try put(Array(pieces.dropLast()), as: anna)
    #expect(first.received == 98_304 && !first.isDone)
    #expect(try world.driver.call(GetProfile(anna), as: ben).normalPhoto.isNil)
    // A restart in between loses nothing, the state of the hash included.
    try world.restart()
    #expect(try put([pieces[3]], as: anna).isDone)
    #expect(try put(PutPhotoPiece.pieces(of: small, as: .small), as: anna).isDone)
    try world.restart()

    let profile = try world.driver.call(GetProfile(anna), as: ben)
    #expect(profile.normalPhoto == PhotoID(of: normal) && profile.smallPhoto == PhotoID(of: small))
    #expect(try read(profile.normalPhoto, of: anna, as: ben) == normal)
    #expect(try read(profile.smallPhoto, of: anna, as: ben) == small)
    #expect(uploadRows == 0 && pieceRows == 5)
  }

  @Test("2.9 a new photo takes the place of the old one, of which no row is left")
  func replaced() throws {
    let anna = try world.player(1)
    let old = SamplePhoto.bytes(.png, count: PhotoLimits.normalBytesMax, width: 1024, height: 1024)
    let new = SamplePhoto.bytes(.jpeg, count: 40_000, width: 300, height: 300)
    try put(PutPhotoPiece.pieces(of: old, as: .normal), as: anna)
    #expect(pieceRows == 8)
    try put(PutPhotoPiece.pieces(of: new, as: .normal), as: anna)
    #expect(pieceRows == 2)
    #expect(try read(PhotoID(of: new), of: anna, as: anna) == new)
    let gone = try failure { _ = try read(PhotoID(of: old), of: anna, as: anna) }
    #expect(gone?.code == .notFound && gone?.argument == "photo")

    // The same one again is done at once, and one picture may be both photos.
    let repeated = try put([PutPhotoPiece.pieces(of: new, as: .normal)[0]], as: anna)
    #expect(repeated.isDone && repeated.received == 40_000)
    let tiny = SamplePhoto.bytes(.webP, count: 500, width: 20, height: 20)
    for size in [PhotoSize.small, .normal] {
      try put(PutPhotoPiece.pieces(of: tiny, as: size), as: anna)
    }
    #expect(pieceRows == 2)
    try world.driver.call(RemovePhoto(.small), as: anna)
    try world.driver.call(RemovePhoto(.small), as: anna)
    #expect(pieceRows == 1)
    #expect(try read(PhotoID(of: tiny), of: anna, as: anna) == tiny)
    try world.driver.call(RemovePhoto(.normal), as: anna)
    #expect(pieceRows == 0)
    let profile = try world.driver.call(GetProfile(anna), as: anna)
    #expect(profile.smallPhoto.isNil && profile.normalPhoto.isNil)
  }

  @Test("2.9 what is no picture, too large or too small is refused, and leaves nothing")
  func wrongBytes() throws {
    let anna = try world.player(1)
    let text = Array(repeating: UInt8(ascii: "x"), count: 2_000)
    let pictures: [([UInt8], PhotoSize)] = [
      (text, .normal), (Array("GIF89a".utf8) + text, .small),
      (SamplePhoto.bytes(.png, count: 900, width: 15, height: 64), .normal),
      (SamplePhoto.bytes(.png, count: 900, width: 64, height: 257), .small),
      (SamplePhoto.bytes(.jpeg, count: 900, width: 1025, height: 64), .normal),
      (SamplePhoto.bytes(.webP, count: 900, width: 2000, height: 64), .normal),
      // Truncated, which its beginning tells.
      (Array(SamplePhoto.bytes(.webP, count: 900, width: 64, height: 64).dropLast(100)), .normal),
    ]
    for (bytes, size) in pictures {
      #expect(PhotoRules.failure(in: bytes, as: size)?.argument == "bytes")
      let piece = PutPhotoPiece.pieces(of: bytes, as: size)[0]
      #expect(try refusal(piece, as: anna) == "invalidArgument bytes")
    }
    // Truncated: the end of the picture is missing.
    for format in [PhotoFormat.png, .jpeg] {
      let bytes = SamplePhoto.bytes(format, count: 900, width: 64, height: 64).dropLast(1) + [0]
      #expect(PhotoRules.failure(in: Array(bytes), as: .normal)?.argument == "bytes")
      let piece = PutPhotoPiece.pieces(of: Array(bytes), as: .normal)[0]
      #expect(try refusal(piece, as: anna) == "notWhole")
    }
    for (count, size) in [(PhotoLimits.normalBytesMax + 1, PhotoSize.normal), (33_000, .small)] {
      let large = SamplePhoto.bytes(.png, count: count, width: 64, height: 64)
      #expect(PhotoRules.failure(in: large, as: size)?.argument == "byteCount")
      #expect(
        try refusal(PutPhotoPiece.pieces(of: large, as: size)[0], as: anna)
          == "invalidArgument byteCount")
    }
    var piece = PutPhotoPiece.pieces(of: SamplePhoto.small, as: .small)[0]
    piece.size = PhotoSize(rawValue: 9)
    #expect(try refusal(piece, as: anna) == "invalidArgument size")
    piece.size = .small
    piece.photo = PhotoID()
    #expect(try refusal(piece, as: anna) == "requiredArgument photo")
    // A client cannot name its bytes as it likes.
    piece.photo = PhotoID.sample(1)
    #expect(try refusal(piece, as: anna) == "otherContent")
    #expect(pieceRows == 0 && uploadRows == 0)
  }

  @Test("2.9 a piece out of order changes nothing and tells the next one; wrong ones are refused")
  func order() throws {
    let anna = try world.player(1)
    let photo = SamplePhoto.bytes(.jpeg, count: 120_000, width: 100, height: 100)
    let pieces = PutPhotoPiece.pieces(of: photo, as: .normal)
    let none = try put([pieces[1]], as: anna)
    #expect(none.received == 0 && !none.isDone && pieceRows == 0, "nothing is under way")
    try put([pieces[0]], as: anna)
    // Out of order, and the first one again, of a program that has forgotten what it sent.
    for piece in [pieces[2], pieces[0], pieces[0]] {
      let reply = try put([piece], as: anna)
      #expect(reply.received == 32_768 && !reply.isDone && reply.fault == .none)
    }
    let other = PutPhotoPiece.pieces(of: photo + [0xFF, 0xD9], as: .normal)
    #expect(try put([other[1]], as: anna).received == 0, "another photo")
    #expect(pieceRows == 1)
    var wrong = pieces[1]
    wrong.offset = 100
    #expect(try refusal(wrong, as: anna) == "invalidArgument offset")
    wrong.offset = 131_072
    #expect(try refusal(wrong, as: anna) == "invalidArgument offset")
    wrong = pieces[1]
    wrong.bytes.array.removeLast()
    #expect(try refusal(wrong, as: anna) == "invalidArgument bytes")
    // Changed on the way: its hash tells, and the upload can begin anew.
    wrong = pieces[1]
    wrong.bytes.array[7] ^= 1
    try put([wrong, pieces[2]], as: anna)
    #expect(try refusal(pieces[3], as: anna) == "otherContent")
    #expect(pieceRows == 0 && uploadRows == 0)
    #expect(try put(pieces, as: anna).isDone && pieceRows == 4 && uploadRows == 0)
  }

  @Test("2.9 an upload that is left for good is forgotten, also over a restart")
  func abandoned() throws {
    let anna = try world.player(1)
    let photo = SamplePhoto.bytes(.png, count: 120_000, width: 100, height: 100)
    let pieces = PutPhotoPiece.pieces(of: photo, as: .normal)
    try put(Array(pieces[..<2]), as: anna)
    world.driver.pass(PhotoLimits.uploadMilliseconds - 1)
    try put([pieces[2]], as: anna)
    world.driver.pass(PhotoLimits.uploadMilliseconds - 1)
    #expect(pieceRows == 3 && uploadRows == 1)
    try world.restart()
    world.driver.pass(1)
    #expect(pieceRows == 0 && uploadRows == 0)
    #expect(try put([pieces[3]], as: anna).received == 0)
    // Another photo takes the place of what is under way.
    try put(Array(pieces[..<2]), as: anna)
    let other = SamplePhoto.bytes(.jpeg, count: 50_000, width: 100, height: 100)
    #expect(try put(PutPhotoPiece.pieces(of: other, as: .normal), as: anna).isDone)
    #expect(pieceRows == 2 && uploadRows == 0)
    world.driver.pass(PhotoLimits.uploadMilliseconds)
    #expect(try read(PhotoID(of: other), of: anna, as: anna) == other)
  }

  @Test("2.9 blocked and unknown players read no photo, and are told the same")
  func blocked() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try put(PutPhotoPiece.pieces(of: SamplePhoto.small, as: .small), as: ben)
    var read = ReadPhoto()
    (read.player, read.photo) = (ben, PhotoID(of: SamplePhoto.small))
    #expect(try world.driver.call(read, as: anna).byteCount == SamplePhoto.small.count)
    try world.driver.call(BlockPlayer(anna), as: ben)
    let blocked = try failure { try world.driver.call(read, as: anna) }
    read.player = .sample(99)
    let unknown = try failure { try world.driver.call(read, as: anna) }
    #expect(blocked?.code == .notReachable && blocked == unknown)

    read.player = ben
    read.offset = UInt32(PhotoLimits.pieceBytesMax)
    let end = try failure { try world.driver.call(read, as: ben) }
    #expect(end?.code == .invalidArgument && end?.argument == "offset")
    read.photo = PhotoID()
    #expect(try failure { try world.driver.call(read, as: ben) }?.code == .notFound)
  }

  @Test("2.10 how many photos a player sets in a row is bounded, and repeats cost nothing")
  func budget() throws {
    let world = World(settings: [.photoBurst: 2, .photoRefill: 60])
    let anna = try world.player(1)
    func put(_ width: Int) throws -> Failure? {
      let photo = SamplePhoto.bytes(.png, count: 500, width: width, height: 20)
      return try failure {
        try world.driver.call(PutPhotoPiece.pieces(of: photo, as: .small)[0], as: anna)
      }
    }
    for width in [20, 21, 21, 21] { #expect(try put(width) == nil) }
    let limited = try put(22)
    #expect(limited?.code == .rateLimited && limited?.retryAfterMilliseconds == 60_000)
    world.driver.clock += 60_000
    #expect(try put(22) == nil)
  }

  @Test("2.10 a photo that ends wrong costs as much of the budget as another one")
  func budgetOfWrong() throws {
    let world = World(settings: [.photoBurst: 2, .photoRefill: 60])
    let anna = try world.player(1)
    var piece = PutPhotoPiece.pieces(of: SamplePhoto.small, as: .small)[0]
    for number in UInt64(1)...2 {
      piece.photo = .sample(number)
      #expect(try world.driver.call(piece, as: anna).fault == .otherContent)
    }
    piece.photo = .sample(3)
    let limited = try failure { try world.driver.call(piece, as: anna) }
    #expect(limited?.code == .rateLimited)
    // What is no picture at all costs nothing.
    piece.bytes.array[0] = 0
    let none = try failure { try world.driver.call(piece, as: anna) }
    #expect(none?.code == .invalidArgument && none?.argument == "bytes")
  }

  @Test(
    "2.9 a photo with metadata is refused, wherever it stands, and accepted without",
    arguments: SamplePhoto.formats, [100, 40_001])
  func metadata(format: PhotoFormat, before count: Int) throws {
    let anna = try world.player(1)
    let photo = SamplePhoto.withPlace(format, after: count)
    #expect(PhotoRules.failure(in: photo, as: .normal) == PhotoRules.metadata)
    let pieces = PutPhotoPiece.pieces(of: photo, as: .normal)
    #expect(pieces.count == (count == 100 ? 1 : 2))
    let refused = try pieces.map { try refusal($0, as: anna) }
    #expect(refused == (count == 100 ? ["invalidArgument bytes"] : ["none", "metadata"]))
    #expect(pieceRows == 0 && uploadRows == 0)

    let clean = PhotoRules.withoutMetadata(photo)
    #expect(PhotoRules.failure(in: clean, as: .normal) == nil)
    #expect(!clean.contains { $0 == UInt8(ascii: "@") } && clean.count > count)
    #expect(PhotoRules.withoutMetadata(clean) == clean)
    #expect(try put(PutPhotoPiece.pieces(of: clean, as: .normal), as: anna).isDone)
    #expect(try read(PhotoID(of: clean), of: anna, as: anna) == clean)
  }

  @Test("2.9 what is no picture, or a part of one, is left as it is by what takes out metadata")
  func noPicture() {
    for format in SamplePhoto.formats {
      let photo = SamplePhoto.withPlace(format, after: 100)
      for count in 0...photo.count {
        let part = Array(photo[..<count])
        #expect(PhotoRules.withoutMetadata(part).count <= count)
        _ = PhotoRules.failure(in: part, as: .normal)
      }
      for place in 0..<60 {
        for value in [UInt8(0), 0x7F, 0xFF] {
          var changed = photo
          changed[place] = value
          _ = PhotoRules.withoutMetadata(changed)
          _ = PhotoRules.failure(in: changed, as: .normal)
        }
      }
    }
  }
}

/// Bytes that begin and end as pictures do; what is between them no rule reads.
enum SamplePhoto {
  static let formats: [PhotoFormat] = [.png, .jpeg, .webP]
  static let small = bytes(.png, count: 700, width: 32, height: 32)

  static func bytes(_ format: PhotoFormat, count: Int, width: Int, height: Int) -> [UInt8] {
    func big(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func little(_ value: Int, _ size: Int) -> [UInt8] { big(value, size).reversed() }
    let (begin, end): ([UInt8], [UInt8])
    switch format {
    case .png:
      begin =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8)
        + big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0, 1, 2, 3, 4]
        + big(count - 57, 4) + Array("IDAT".utf8)
      end = [1, 2, 3, 4] + big(0, 4) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    case .jpeg:
      // A table stands before the frame.
      begin =
        [0xFF, 0xD8, 0xFF, 0xDB] + big(7, 2) + Array("hello".utf8) + [0xFF, 0xFF, 0xC2]
        + big(11, 2) + [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
        + [0xFF, 0xDA] + big(8, 2) + [1, 1, 0, 0, 63, 0]
      end = [0xFF, 0xD9]
    default:
      begin =
        Array("RIFF".utf8) + little(count - 8, 4) + Array("WEBPVP8X".utf8) + little(10, 4)
        + little(0, 4) + little(width - 1, 3) + little(height - 1, 3)
        + Array("VP8 ".utf8) + little(count - 38, 4)
      end = []
    }
    let middle = (0..<count - begin.count - end.count).map {
      UInt8(truncatingIfNeeded: $0 &* 7) & 0x7F
    }
    return begin + middle + end
  }

  /// A picture in whole parts, of which one, behind so many bytes of others, tells a place: at
  /// signs, which are nowhere else.
  static func withPlace(_ format: PhotoFormat, after count: Int) -> [UInt8] {
    func big(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func little(_ value: Int, _ size: Int) -> [UInt8] { big(value, size).reversed() }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      big(data.count, 4) + Array(name.utf8) + data + [1, 2, 3, 4]
    }
    func part(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(data.count, 4) + data + (data.count % 2 == 0 ? [] : [0])
    }
    let place = [UInt8](repeating: UInt8(ascii: "@"), count: 31)
    let picture = [UInt8](repeating: 7, count: count)
    switch format {
    case .png:
      return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", big(32, 4) + big(32, 4) + [8, 2, 0, 0, 0]) + chunk("IDAT", picture)
        + chunk("eXIf", place) + chunk("IDAT", Array(picture.prefix(50)))
        + big(0, 4) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    case .jpeg:
      let frame: [UInt8] =
        [0xFF, 0xC0] + big(11, 2) + [8] + big(32, 2) + big(32, 2) + [1, 1, 0x11, 0]
      return [0xFF, 0xD8] + frame + [0xFF, 0xDB] + big(count + 2, 2) + picture
        + [0xFF, 0xE1] + big(place.count + 2, 2) + place
        + [0xFF, 0xDA] + big(8, 2) + [1, 1, 0, 0, 63, 0] + picture.prefix(50) + [0xFF, 0xD9]
    default:
      let parts =
        part("VP8X", [0x08, 0, 0, 0] + little(31, 3) + little(31, 3)) + part("VP8 ", picture)
        + part("EXIF", place)
      return Array("RIFF".utf8) + little(parts.count + 4, 4) + Array("WEBP".utf8) + parts
    }
  }
}
