public import Wire

/// Sent by a player: one piece of a new photo, in order. With the last one the photo takes the
/// place of the caller's photo of that size. A piece at offset 0 begins anew.
///
/// Each piece but the last has `PhotoLimits.pieceBytesMax` bytes. The picture must be a PNG, JPEG
/// or WebP that says its sides within its first piece, and a photo that is the caller's already is
/// done at once. What is not whole is forgotten `PhotoLimits.uploadMilliseconds` after its last
/// piece.
///
/// Errors: `invalidArgument` (size; byteCount; offset, bytes: no piece of such a photo),
/// `requiredArgument` (photo), `conflict` (offset: another piece is next, which the sentence says),
/// `invalidArgument` (bytes: no such picture, see `PhotoRules`; or, with the last piece, one that
/// is not whole; photo: not the hash of the bytes, with the last piece), `rateLimited` (photos
/// begun). Cost: one cold row, a hash of the piece and, with the last one, the removal of the
/// pieces of the photo before, no more than eight.
public struct PutPhotoPiece: Operation {
  public static let opcode = Opcode(.request, 0x82)
  public var size = PhotoSize()
  public var photo = PhotoID()
  /// Of the whole photo.
  public var byteCount: UInt32 = 0
  /// Where the piece begins.
  public var offset: UInt32 = 0
  public var bytes = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("size", &size)
    visit.field("photo", &photo)
    visit.field("byteCount", &byteCount)
    visit.field("offset", &offset)
    visit.field("bytes", &bytes)
  }

  public var fault: Failure? {
    if let failure = PhotoRules.failure(byteCount: Int(byteCount), as: size) { return failure }
    if photo.isNil {
      return Failure(.requiredArgument, argument: "photo", "A photo is named by its content.")
    }
    let pieceBytes = UInt32(PhotoLimits.pieceBytesMax)
    guard offset % pieceBytes == 0, offset < byteCount else {
      return PhotoRules.bad(
        "offset", "Pieces begin at multiples of \(pieceBytes), within the photo.")
    }
    let count = min(pieceBytes, byteCount - offset)
    if bytes.array.count == count { return nil }
    return PhotoRules.bad("bytes", "The piece at \(offset) of this photo has \(count) bytes.")
  }

  public struct Reply: Message {
    /// How much of the photo is here; the next piece's offset.
    public var received: UInt32 = 0
    /// True when this is the caller's photo of its size now.
    public var isDone = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("received", &received)
      visit.field("isDone", &isDone)
    }
  }

  /// The calls that put a whole photo, which keeps to `PhotoRules`.
  public static func pieces(of photo: [UInt8], as size: PhotoSize) -> [PutPhotoPiece] {
    let id = PhotoID(of: photo)
    return stride(from: 0, to: photo.count, by: PhotoLimits.pieceBytesMax).map { start in
      var piece = PutPhotoPiece()
      (piece.size, piece.photo) = (size, id)
      (piece.byteCount, piece.offset) = (UInt32(photo.count), UInt32(start))
      piece.bytes = Bytes(Array(photo[start...].prefix(PhotoLimits.pieceBytesMax)))
      return piece
    }
  }
}
