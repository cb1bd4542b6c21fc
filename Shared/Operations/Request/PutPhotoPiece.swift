public import Wire

/// Sent by a player: one piece of a new photo, in order. With the last one the photo takes the
/// place of the caller's photo of that size.
///
/// Each piece but the last has `PhotoLimits.pieceBytesMax` bytes. The picture must be a PNG, JPEG
/// or WebP that says its sides within its first piece, and a photo that is the caller's already is
/// done at once. A piece that is not the next one changes nothing: the reply says how much is here,
/// also to a client that has forgotten it. What is not whole is forgotten
/// `PhotoLimits.uploadMilliseconds` after its last piece, or when another photo of that size
/// begins; what turns out wrong is forgotten at once, and `fault` says why.
///
/// Errors: `invalidArgument` (size; byteCount; offset, bytes: no piece of such a photo),
/// `requiredArgument` (photo), and with the first piece of a photo `invalidArgument` (bytes: no
/// such picture, see `PhotoRules`) and `rateLimited` (photos begun). Cost: one cold row, a hash of
/// the piece and, with the last one, the removal of the pieces of the photo before, no more than
/// eight.
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
    /// Why the photo was forgotten.
    public var fault = PhotoFault()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("received", &received)
      visit.field("isDone", &isDone)
      visit.field("fault", &fault)
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

/// What was wrong with a photo that came in pieces.
public struct PhotoFault: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  /// It ends before its picture does.
  public static let notWhole = Self(rawValue: 1)
  /// Its bytes have another hash than its name says.
  public static let otherContent = Self(rawValue: 2)
  /// See `PhotoRules.hasMetadata`.
  public static let metadata = Self(rawValue: 3)

  public static let names = ["none", "notWhole", "otherContent", "metadata"]

  /// The same in words; nil for no fault.
  public var failure: Failure? {
    switch self {
    case .none: nil
    case .notWhole: PhotoRules.notWhole
    case .otherContent: PhotoRules.otherContent
    case .metadata: PhotoRules.metadata
    default: PhotoRules.noPhoto
    }
  }
}
