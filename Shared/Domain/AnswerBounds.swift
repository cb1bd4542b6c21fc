import Wire

/// How many answers to changing calls a process remembers, how large, and for how long. Answers
/// take room in memory and in the store, and any player can make them; so every bound holds per
/// player.
public struct AnswerBounds: Sendable {
  /// Answers of one client instance at or above its floor.
  public var perInstanceMax = WireLimits.answersMax
  /// Answers of one player, over all instances: eight that acknowledge none of theirs. Past it, the
  /// answers of the other instances that were silent for longest are forgotten. A caller that is no
  /// player has the bound per instance alone.
  public var perOwnerMax = 8 * WireLimits.answersMax
  /// Bytes of the answers of one player, with the same consequence. The next call of an instance
  /// that has as many itself is refused, so that its last answer may go past them. So may those to
  /// calls that are older than all that have answers: no floor would help these.
  public var bytesPerOwnerMax = 1 << 20
  /// The instances of a player of which only the floor is known, because their answers were
  /// forgotten. Past it, those that were silent for longest are forgotten altogether.
  public var floorsPerOwnerMax = 8 * WireLimits.answersMax
  /// How long after its last call the answers of an instance are remembered, or its floor is.
  public var keptMilliseconds = WireLimits.answersKeptMilliseconds
  /// How long it is known that a session has ended. A call spends 30 seconds on its way at most.
  public var endedMilliseconds: Int64 = 10 * 60 * 1000

  public init() {}
}
