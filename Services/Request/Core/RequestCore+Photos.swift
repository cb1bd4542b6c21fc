import Domain
import Operations
import Wire

extension NumberSetting {
  static let photoBurst = NumberSetting(
    "photo-burst", .count, default: 20, 1...1_000_000,
    "Photos that one player may set in a row.")
  static let photoRefill = NumberSetting(
    "photo-refill-seconds", .seconds, default: 60, 1...86_400,
    "How long after a burst of photos a player may set one more.")
}

// A photo comes in pieces, each of which is hashed as it comes: so no call takes longer than a
// piece does (32 KiB in a quarter of a millisecond), and the name of a photo is what the server has
// made of its bytes. A client that could name its bytes as it likes could show other players
// something else in the place of a photo that they know by its name.

extension RequestCore {
  func putPhotoPiece(_ operation: PutPhotoPiece, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> PutPhotoPiece.Reply
  {
    _ = try caller(call)
    let key = PhotoUploadKey(player: call.player, size: operation.size)
    var reply = PutPhotoPiece.Reply()
    if profiles[call.player]?[operation.size].id == operation.photo {
      (reply.received, reply.isDone) = (operation.byteCount, true)
      return reply
    }
    if let upload = uploads[key], upload.photo.id == operation.photo,
      upload.photo.byteCount == operation.byteCount
    {
      if upload.received == operation.offset { return take(operation, upload, &transaction) }
      reply.received = upload.received
      return reply
    }
    if operation.offset > 0 { return reply }
    let upload = try begun(key, operation)
    if let wait = budgets.take(.photos, of: key.player, &transaction) {
      throw .rateLimited("You have set many photos.", wait)
    }
    drop(key, &transaction)
    return take(operation, upload, &transaction)
  }

  /// Returns the upload that a first piece begins.
  private func begun(_ key: PhotoUploadKey, _ operation: PutPhotoPiece) throws(Stop)
    -> PhotoUploadRow
  {
    let bytes = operation.bytes.array
    guard let header = PhotoHeader(bytes, byteCount: Int(operation.byteCount)) else {
      throw .refused(PhotoRules.noPhoto)
    }
    if let failure = PhotoRules.failure(in: header, as: operation.size) { throw .refused(failure) }
    let byteCount = Int(operation.byteCount)
    if PhotoRules.hasMetadata(bytes, header.format, byteCount: byteCount) {
      throw .refused(PhotoRules.metadata)
    }
    return PhotoUploadRow(
      key: key,
      photo: StoredPhoto(
        id: operation.photo, byteCount: operation.byteCount, format: header.format),
      nextPart: MetadataSearch(header.format, byteCount: byteCount).next.map { UInt64($0) })
  }

  /// Adds a piece, the next one. Nothing is refused: what is wrong is dropped, so that a photo that
  /// is never right costs a player of its budget as much as another one does.
  private func take(
    _ operation: PutPhotoPiece, _ before: PhotoUploadRow, _ transaction: inout Transaction
  ) -> PutPhotoPiece.Reply {
    var (upload, reply) = (before, PutPhotoPiece.Reply())
    var hash = SHA256(words: upload.hash, byteCount: UInt64(upload.received))
    for byte in operation.bytes.array { hash.add(byte) }
    reply.fault = upload.add(operation.bytes.array, hash)
    if reply.fault != .none {
      drop(upload.key, &transaction)
      return reply
    }
    let piece = operation.offset / UInt32(PhotoLimits.pieceBytesMax)
    transaction.put(PhotoPieceRow(key: upload.pieceKey(piece), bytes: operation.bytes))
    reply.received = upload.received
    if upload.received < upload.photo.byteCount {
      upload.hash = hash.words
      upload.expires = transaction.now + PhotoLimits.uploadMilliseconds
      uploads.put(upload, &transaction)
      setTimer(of: upload, &transaction)
    } else {
      finish(upload, &transaction)
      reply.isDone = true
    }
    return reply
  }

  /// Forgets what is under way.
  private func drop(_ key: PhotoUploadKey, _ transaction: inout Transaction) {
    if let upload = end(key, &transaction) { removePieces(of: upload, &transaction) }
  }

  /// Ends an upload whose pieces stay.
  @discardableResult
  private func end(_ key: PhotoUploadKey, _ transaction: inout Transaction) -> PhotoUploadRow? {
    guard let upload = uploads.remove(key, &transaction) else { return nil }
    transaction.cancelTimer(ExpirePhotoUpload.self, on: key.player, item: key.size.timerItem)
    return upload
  }

  /// The photo takes the place of the one before.
  private func finish(_ upload: PhotoUploadRow, _ transaction: inout Transaction) {
    var profile = profiles[upload.key.player] ?? ProfileRow(key: upload.key.player)
    removePieces(of: profile[upload.key.size], upload.key, &transaction)
    profile[upload.key.size] = upload.photo
    profiles.put(profile, &transaction)
    end(upload.key, &transaction)
  }

  func removePhoto(_ operation: RemovePhoto, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    _ = try caller(call)
    let key = PhotoUploadKey(player: call.player, size: operation.size)
    guard var profile = profiles[key.player], !profile[key.size].id.isNil else { return }
    removePieces(of: profile[key.size], key, &transaction)
    profile[key.size] = StoredPhoto()
    profiles.put(profile, &transaction)
  }

  func readPhoto(_ operation: ReadPhoto, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ReadPhoto.Reply
  {
    guard player(operation.player, reachableBy: call) != nil else { throw .noPlayer }
    let profile = profiles[operation.player]
    guard !operation.photo.isNil,
      let size = [PhotoSize.small, .normal].first(where: { profile?[$0].id == operation.photo }),
      let photo = profile?[size]
    else { throw .notFound("photo", "The player has another photo by now, or none.") }
    guard operation.offset < photo.byteCount else {
      throw .invalidArgument("offset", "The photo has \(photo.byteCount) bytes.")
    }
    let key = PhotoPieceKey(
      player: operation.player, size: size, photo: photo.id,
      piece: operation.offset / UInt32(PhotoLimits.pieceBytesMax))
    guard let row = try transaction.row(PhotoPieceRow.self, key) else {
      throw .refuse(.unavailable, "A piece of the photo is missing.")
    }
    var reply = ReadPhoto.Reply()
    reply.bytes = row.bytes
    reply.byteCount = photo.byteCount
    reply.format = photo.format
    return reply
  }

  func expirePhotoUpload(
    _ operation: ExpirePhotoUpload, _ call: Call, _ transaction: inout Transaction
  ) {
    let key = PhotoUploadKey(player: PlayerID(reinterpreting: call.key), size: operation.size)
    guard let upload = uploads[key] else { return }
    if upload.expires > transaction.now { return setTimer(of: upload, &transaction) }
    removePieces(of: upload, &transaction)
    uploads.remove(key, &transaction)
  }

  func setTimer(of upload: PhotoUploadRow, _ transaction: inout Transaction) {
    transaction.setTimer(
      ExpirePhotoUpload(upload.key.size), on: upload.key.player, item: upload.key.size.timerItem,
      at: upload.expires)
  }

  private func removePieces(of upload: PhotoUploadRow, _ transaction: inout Transaction) {
    var received = upload.photo
    received.byteCount = upload.received
    removePieces(of: received, upload.key, &transaction)
  }

  /// Removes what is kept of a photo, eight rows at most.
  private func removePieces(
    of photo: StoredPhoto, _ key: PhotoUploadKey, _ transaction: inout Transaction
  ) {
    for piece in 0..<PhotoLimits.pieceCount(of: photo.byteCount) {
      transaction.remove(
        PhotoPieceRow.self,
        PhotoPieceKey(player: key.player, size: key.size, photo: photo.id, piece: piece))
    }
  }
}

extension PhotoUploadRow {
  /// Notes a piece; with the last one the photo must be what it was said to be.
  ///
  /// - Parameter hash: of all bytes so far.
  fileprivate mutating func add(_ bytes: [UInt8], _ hash: SHA256) -> PhotoFault {
    let window = end.array + bytes
    var search = MetadataSearch(
      photo.format, byteCount: Int(photo.byteCount), next: nextPart.map { Int($0) })
    if search.finds(in: window, at: Int(received) - end.array.count) { return .metadata }
    nextPart = search.next.map { UInt64($0) }
    received += UInt32(bytes.count)
    end = Bytes(Array(window.suffix(PhotoHeader.endBytes)))
    guard received == photo.byteCount else { return .none }
    if !photo.format.isEnd(end.array) { return .notWhole }
    return PhotoID(hash) == photo.id ? .none : .otherContent
  }

  fileprivate func pieceKey(_ piece: UInt32) -> PhotoPieceKey {
    PhotoPieceKey(player: key.player, size: key.size, photo: photo.id, piece: piece)
  }
}

extension PhotoSize {
  fileprivate var timerItem: RoutingKey { RoutingKey(high: 0, low: UInt64(rawValue)) }
}

extension SHA256 {
  /// - Parameter words: the state after `byteCount` bytes, whole blocks; empty for the beginning.
  fileprivate init(words: [UInt64], byteCount: UInt64) {
    guard words.count == 4 else {
      self.init()
      return
    }
    var state = SIMD8<UInt32>()
    for (place, word) in words.enumerated() {
      state[2 * place] = UInt32(truncatingIfNeeded: word >> 32)
      state[2 * place + 1] = UInt32(truncatingIfNeeded: word)
    }
    self.init(state: state, byteCount: byteCount)
  }

  fileprivate var words: [UInt64] {
    (0..<4).map { UInt64(state[2 * $0]) << 32 | UInt64(state[2 * $0 + 1]) }
  }
}
