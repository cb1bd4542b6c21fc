extension MusterClient {
  /// Returns the profiles of any number of players, in their order; one call for each
  /// `ProfileLimits.profilesMax` of them. Who cannot be reached has `isReachable` = false.
  public nonisolated func profiles(of players: [PlayerID]) async throws(MusterError) -> [Profile] {
    var found: [PlayerID: Profile] = [:]
    for operation in GetProfiles.calls(about: players) {
      for profile in try await call(operation).profiles { found[profile.player] = profile }
    }
    return players.map { player in
      if let profile = found[player] { return profile }
      var unknown = Profile()
      unknown.player = player
      return unknown
    }
  }

  /// Returns all of this player's friends, open invitations and blocks, friends with their presence
  /// and their profiles of now; one call for each `FriendLimits.pageMax` of them. Where friends
  /// cannot be asked, the list comes without: presence is `none` and names are those of before.
  public nonisolated func friends() async throws(MusterError) -> [Friend] {
    // A call that lacks a part of the deployment is repeated until its time is up.
    let deadline = configuration.callDeadline / 2
    do throws(MusterError) {
      return try await ListFriends.all(limit: FriendLimits.pageMax) {
        (list) async throws(MusterError) in try await self.call(list, deadline: deadline)
      }
    } catch {
      if ![.unavailable, .deadlineExceeded].contains(error.code) { throw error }
    }
    return try await ListFriends.all { (list) async throws(MusterError) in
      try await self.call(list)
    }
  }

  /// Asks any number of players to be friends and says of each what became of it; one call for each
  /// `FriendLimits.importMax` of them.
  @discardableResult
  public nonisolated func inviteFriends(_ players: [PlayerID])
    async throws(MusterError) -> [FriendInvitationOutcome]
  {
    var outcomes: [FriendInvitationOutcome] = []
    for start in stride(from: 0, to: players.count, by: FriendLimits.importMax) {
      let part = players[start...].prefix(FriendLimits.importMax)
      outcomes += try await call(InviteFriends(Array(part))).outcomes
    }
    return outcomes
  }

  /// Sets this player's photo of one size, in pieces. The pictures of both sizes are the game's to
  /// make: the server changes none. Metadata, which may tell a place, is left out; so a picture has
  /// to stand upright by itself.
  ///
  /// - Parameters:
  ///   - photo: the bytes of a PNG, JPEG or WebP; see `PhotoRules`.
  ///   - size: which of the two it is.
  /// - Returns: the photo's name, as profiles tell it.
  @discardableResult
  public nonisolated func setPhoto(_ photo: [UInt8], size: PhotoSize = .normal)
    async throws(MusterError) -> PhotoID
  {
    let photo = PhotoRules.withoutMetadata(photo)
    if let failure = PhotoRules.failure(in: photo, as: size) { throw MusterError(failure) }
    let pieces = PutPhotoPiece.pieces(of: photo, as: size)
    var received = 0
    // A part may be here from before, and another device may set another photo meanwhile.
    for _ in 0..<2 * pieces.count {
      let reply = try await call(pieces[received / PhotoLimits.pieceBytesMax])
      if reply.isDone { return pieces[0].photo }
      if let failure = reply.fault.failure { throw MusterError(failure) }
      received = min(Int(reply.received), photo.count - 1)
    }
    throw MusterError(.conflict, "Another photo is being set at the same time.")
  }

  /// Loads a photo of a player, which the profile names, and checks it by its name.
  ///
  /// - Throws: `notFound` when the player has another photo by now; `notReachable`.
  public nonisolated func photo(_ photo: PhotoID, of player: PlayerID)
    async throws(MusterError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var operation = ReadPhoto()
    (operation.player, operation.photo) = (player, photo)
    while true {
      let reply = try await call(operation)
      bytes += reply.bytes.array
      if bytes.count >= reply.byteCount || reply.bytes.array.isEmpty { break }
      operation.offset = UInt32(bytes.count)
    }
    if PhotoID(of: bytes) == photo { return bytes }
    throw MusterError(.unavailable, "The photo's bytes are not those of its name.")
  }
}
