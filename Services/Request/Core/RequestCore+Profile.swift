import Domain
import Operations
import Wire

extension RequestCore {
  func getProfile(_ operation: GetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Profile
  {
    let profile = profile(of: operation.player, for: call)
    if !profile.isReachable { throw .noPlayer }
    return profile
  }

  func fetchProfile(_ operation: FetchProfile, _ call: Call, _ transaction: inout Transaction)
    -> Profile
  {
    profile(of: operation.player, for: call)
  }

  func getProfiles(_ operation: GetProfiles, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> GetProfiles.Reply
  {
    var reply = GetProfiles.Reply()
    for player in operation.players {
      // No gateway asks at the nil key, and nobody has it.
      if player.isNil {
        reply.profiles.append(Profile())
      } else {
        let profile = try call.fact(FetchProfile.self, at: player)
        reply.profiles.append(seen(profile, by: call.player))
      }
    }
    return reply
  }

  /// A profile as its player's key has told it. Presence is for friends as this side knows them,
  /// too: what a block of the caller's own has ended may not have come to the other yet.
  func seen(_ profile: Profile, by caller: PlayerID) -> Profile {
    var profile = profile
    if edges.state(caller, profile.player) != .friends { profile.presence = .none }
    return profile
  }

  /// What the caller may know of a player, at whose key the command must run.
  private func profile(of player: PlayerID, for call: Call) -> Profile {
    var profile = Profile()
    profile.player = player
    guard let row = self.player(player, reachableBy: call) else { return profile }
    profile.isReachable = true
    profile.displayName = row.displayName
    profile.isAppUser = games[PlayerGameKey(player: player, game: call.game)] != nil
    profile.presence = presence(of: player, for: call.player)
    if call.player == player { profile.showsPresence = profiles[player]?.hidesPresence != true }
    if let more = profiles[player] {
      profile.alias = more.alias
      (profile.smallPhoto, profile.normalPhoto) = (more.small.id, more.normal.id)
    }
    return profile
  }

  func fetchPlayer(_ operation: FetchPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> FetchPlayer.Reply
  {
    var reply = FetchPlayer.Reply()
    reply.isReachable = player(operation.player, reachableBy: call) != nil
    reply.isNew =
      reply.isReachable && games[PlayerGameKey(player: operation.player, game: call.game)] == nil
    reply.isFriend =
      reply.isReachable && edges.state(operation.player, call.player) == .friends
    reply.time = transaction.now
    return reply
  }

  /// Nil when there is no such player or the player blocks the caller, who cannot tell one from the
  /// other.
  func player(_ player: PlayerID, reachableBy call: Call) -> PlayerRow? {
    edges.state(player, call.player) == .blocked ? nil : players[player]
  }

  func setProfile(_ operation: SetProfile, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    var player = try caller(call)
    if !operation.displayName.isEmpty {
      player.displayName = try kept(displayName: operation.displayName)
    }
    var profile = profiles[player.key] ?? ProfileRow(key: player.key)
    if let alias = operation.alias {
      profile.alias = alias.isEmpty ? "" : try kept(alias, as: .alias)
    }
    if let shows = operation.showsPresence { profile.hidesPresence = !shows }
    if !operation.displayName.isEmpty { players.put(player, &transaction) }
    if profile != profiles[player.key] ?? ProfileRow(key: player.key) {
      profiles.put(profile, &transaction)
      lookAtPresence(of: player.key, isAtOnce: true, &transaction)
    }
  }

  func kept(displayName: String) throws(Stop) -> String {
    try kept(displayName, as: .displayName)
  }

  /// A new name as it is kept. A long one is refused as it came, since the time to bring text into
  /// normal form may grow with the square of its length.
  private func kept(_ name: String, as kind: ProfileRules.Name) throws(Stop) -> String {
    if name.utf8.count > ProfileRules.typedBytesMax { throw .refused(kind.tooLong) }
    let name = ProfileRules.kept(displayName: name.inNormalForm)
    if let failure = kind.failure(in: name) { throw .refused(failure) }
    return name
  }
}

extension Stop {
  /// Unknown and erased players, and those who block the caller, are refused in the same words.
  static var noPlayer: Stop { .refuse(.notReachable, "There is no such player.") }
}
