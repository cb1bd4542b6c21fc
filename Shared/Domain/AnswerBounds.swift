import Wire

/// How many answers to changing calls a process remembers, how large, and for how long. Answers
/// take room in memory and in the store, and any player can make them; so every bound holds per
/// player.
public struct AnswerBounds: Sendable {
  /// Answers of one client instance above its floor.
  public var perInstanceMax = WireLimits.answersMax
  /// Answers of one player, over all instances: eight that acknowledge none of theirs. A caller
  /// that is no player has the bound per instance alone.
  public var perOwnerMax = 8 * WireLimits.answersMax
  /// Bytes of the answers of one player, or of one instance of another caller. A call is refused
  /// when they are reached, so that the last answer may go past them.
  public var bytesPerOwnerMax = 1 << 20
  /// How long after its last call the answers of an instance are remembered.
  public var keptMilliseconds = WireLimits.answersKeptMilliseconds
  /// How long an instance is silent before its answers make room for those of another instance of
  /// its player, and how long it is known that a session has ended. A call spends 30 seconds on its
  /// way at most.
  public var idleMilliseconds: Int64 = 10 * 60 * 1000

  public init() {}
}
