import Domain
import Operations
import Wire

/// What a player has told of itself besides the name. Players who have told nothing have no row.
struct ProfileRow: Row {
  static let tableID: UInt16 = 32
  static let tableName = "profile"
  var key = PlayerID()
  var alias = ""
  var small = StoredPhoto()
  var normal = StoredPhoto()
  var hidesPresence = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("alias", &alias)
    visit.field("small", &small)
    visit.field("normal", &normal)
    visit.field("hidesPresence", &hidesPresence)
  }

  subscript(size: PhotoSize) -> StoredPhoto {
    get { size == .small ? small : normal }
    set { if size == .small { small = newValue } else { normal = newValue } }
  }
}

/// A photo that is whole; its `id` is nil where there is none.
struct StoredPhoto: Message, Hashable {
  var id = PhotoID()
  var byteCount: UInt32 = 0
  var format = PhotoFormat()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("byteCount", &byteCount)
    visit.field("format", &format)
  }
}

struct PhotoUploadKey: RowKey {
  var player = PlayerID()
  var size = PhotoSize()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("size", &size)
  }
}

/// A photo of which the first pieces are here.
struct PhotoUploadRow: Row {
  static let tableID: UInt16 = 33
  static let tableName = "photo_upload"
  var key = PhotoUploadKey()
  var photo = StoredPhoto()
  var received: UInt32 = 0
  /// The state of SHA-256 after `received` bytes, so that no piece is read again to hash it.
  var hash: [UInt64] = []
  /// The last bytes that were received, `PhotoHeader.endBytes` at most.
  var end = Bytes()
  var expires: Int64 = 0
  /// Where the search for metadata goes on; nil when it is over.
  var nextPart: UInt64?
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("photo", &photo)
    visit.field("received", &received)
    visit.field("hash", &hash)
    visit.field("end", &end)
    visit.field("expires", &expires)
    visit.field("nextPart", &nextPart)
  }
}

/// The two sizes have pieces of their own, also of one and the same picture: each goes by itself.
struct PhotoPieceKey: RowKey {
  var player = PlayerID()
  var size = PhotoSize()
  var photo = PhotoID()
  var piece: UInt32 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("size", &size)
    visit.field("photo", &photo)
    visit.field("piece", &piece)
  }
}

struct PhotoPieceRow: Row {
  static let tableID: UInt16 = 34
  static let tableName = "photo_piece"
  var key = PhotoPieceKey()
  var bytes = Bytes()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("bytes", &bytes)
  }
}
