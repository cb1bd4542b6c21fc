import Operations
import Wire

extension MusterClient {
  /// Erases this player, for good, and closes the client: within a minute nothing personal is left
  /// in any service. All sessions of the player end, and no credential of the player's is good for
  /// anything any more; forget it. Ask the player before.
  ///
  /// - Throws: `notAuthenticated` (no session; also where the answer was lost and the player is
  ///   erased by now, of whom no answers are kept); `banned`; `rateLimited`; `unavailable`.
  public func eraseMyself() async throws(MusterError) {
    guard let player = session?.player else {
      throw MusterError(.notAuthenticated, "Nobody is signed in who could be erased.")
    }
    _ = try await call(EraseMyself(confirmed: player))
    await close()
  }

  /// Erases a player as `eraseMyself` does; an operator's call, which may be repeated.
  ///
  /// - Parameters:
  ///   - player: whom to erase, for good.
  ///   - evenIfUnknown: erases also whom the request service does not know: see `ErasePlayer`.
  /// - Throws: `notFound`, `invalidArgument`, `requiredArgument` (player); `notAllowed`;
  ///   `unavailable`.
  public func erase(_ player: PlayerID, evenIfUnknown: Bool = false) async throws(MusterError) {
    _ = try await call(ErasePlayer(player, evenIfUnknown: evenIfUnknown))
  }
}
