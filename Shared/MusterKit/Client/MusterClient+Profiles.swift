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
}
