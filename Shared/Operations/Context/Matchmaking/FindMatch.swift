public import Wire

/// Sent by a player: puts a ticket for a match into a player group's queue. The ticket waits over
/// lost connections and restarts, and ends in one of matched, cancelled and expired.
///
/// When it is matched, each player's stream gets a `MatchFound` with the match's context, in which
/// all of them are active. The ticket looks for others when it comes and when a rule of it loosens;
/// of those that fit, the oldest is in its match. One search does a bounded amount of work: in a
/// queue of hundreds of kinds of tickets, the oldest of each kind come first, and the promise holds
/// for those that were looked at.
///
/// A matched ticket stays matched. When too few of the others join the match, those who did wait
/// again by a new ticket, in their old place and as old as before: see `JoiningEnded`.
///
/// Friends who want a match together invite each other with `InvitePlayers`: those who accept get a
/// ticket together, which each may cancel. To be in a context with others is no consent of theirs.
///
/// With a `match`, others are added to this running match of the context `party` (backfill), in
/// which the caller has a seat; `members` are all others who are active in the context, and each
/// may cancel the ticket. If the match has no seats by then, those who were found go on waiting in
/// their old place.
///
/// Errors, in this order: `requiredArgument` and `invalidArgument` (playerGroup), `invalidArgument`
/// (minPlayers, numbers, words, latencies, members), `requiredArgument` (match) for a party or
/// members without a match, `requiredArgument` (party) for a match without a context,
/// `limitReached` (the caller's tickets in this game), `notFound` (party), `notFound` (match) when
/// it does not run, was found and has not begun, is full (as with `AddMatchPlayers`) or the caller
/// has no seat in it,
/// `invalidArgument` (members) when they are not those who are active there, `invalidArgument`
/// (minPlayers, maxPlayers, members) when the queue has no match of such a size, `requiredArgument`
/// (numbers, words) for a property that a rule is about, `alreadyExists` (playerGroup) when the
/// caller waits there, `conflict` (members) when another of the party does, `limitReached`
/// (playerGroup), `rateLimited`. Cost: two rows, an effect for each player; a look at a bounded
/// part of the queue, whatever its size.
public struct FindMatch: Operation {
  public static let opcode = Opcode(.context, 0x71)
  public static var routing: Routing { .firstName }
  public static var needs: [FactNeed] {
    [.fact(FetchTickets.self, at: .caller), .fact(FetchParty.self, at: .field("party"))]
  }
  public var playerGroup = ""
  /// The context of the running match.
  public var party: ContextID?
  /// The other players who are active in it.
  public var members: [PlayerID] = []
  /// The number of the running match to which players are to be added; 0 for a new one.
  public var match: UInt64 = 0
  public var criteria = MatchCriteria()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
    visit.field("party", &party)
    visit.field("members", &members)
    visit.field("match", &match)
    visit.field("criteria", &criteria)
  }

  public var fault: Failure? {
    if let fault = PlayerGroup.fault(of: playerGroup) ?? criteria.fault { return fault }
    guard members.count < MatchmakingLimits.playersMax, Set(members).count == members.count,
      !members.contains(where: \.isNil)
    else {
      return .unfit(
        "members", "A party has at most \(MatchmakingLimits.playersMax) players, each once.")
    }
    if match == 0 && (party != nil || !members.isEmpty) {
      return Failure(
        .requiredArgument, argument: "match",
        "Players who want a new match together are invited to it.")
    }
    if match != 0 && party == nil {
      return Failure(
        .requiredArgument, argument: "party", "The context of the match must be named.")
    }
    return nil
  }

  public struct Reply: Message {
    public var ticket = MatchTicketID()
    /// When the ticket expires, in milliseconds since 1970.
    public var expiresAt: Int64 = 0
    public var waits = QueueWaits()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("ticket", &ticket)
      visit.field("expiresAt", &expiresAt)
      visit.field("waits", &waits)
    }
  }
}

/// How long the tickets that were matched in the last ten minutes had waited: in the reply to a
/// `FindMatch` those like it in size, party and attributes, where there were any. Each time is that
/// of a range of waiting times, and at most a quarter too long. After a restart of the service they
/// are counted anew.
public struct QueueWaits: Message, Hashable {
  /// Tickets that the times are of; the times mean nothing when it is 0.
  public var ticketCount: UInt32 = 0
  /// Milliseconds that half of them waited at most.
  public var p50: UInt32 = 0
  /// Milliseconds that 95 of 100 waited at most.
  public var p95: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("ticketCount", &ticketCount)
    visit.field("p50", &p50)
    visit.field("p95", &p95)
  }
}
