public import Operations
public import Wire

/// One client's side of the data of one match: numbers what is sent, keeps it until it is
/// acknowledged, puts what arrives in order and drops doubles.
///
/// A value without clock or connection: events go in by its methods, and what is to be done comes
/// out as actions, in the order in which to do them. It rests on three promises only. A connection
/// keeps order while it lives; whatever is lost is repeated, either because a player came back or
/// because time has passed; and a client that forgot what it knew has another seat number, so that
/// both ends begin anew together.
///
/// What to call: `join` at the start, after each lost connection and every ten seconds or so; the
/// `received` methods for each event; `acknowledge` after each batch of events; `timePassed` about
/// every second.
public struct ReliableChannel: Sendable {
  public enum Action: Equatable, Sendable {
    /// Call this, and give its failure, if any, to `failed`. Unreliable data may be dropped
    /// instead.
    case send(SendMatchData)
    case acknowledge(AcknowledgeMatchData)
    /// Call `join` and send what it gives.
    case rejoin
    case deliver(from: PlayerID, payload: [UInt8], isReliable: Bool)
    /// A player's state changed, or a client that knows nothing has taken its seat.
    case playerChanged(PlayerID, MatchPlayerState, isNewClient: Bool)
    /// A message of this player was longer than `Limits.messageSizeMax` and is lost.
    case oversized(from: PlayerID)
    /// Another client of the same player has the seat; this one is out.
    case seatTaken
    case ended
  }

  public struct Limits: Sendable {
    /// Bytes of one message; longer than a piece of match data, it goes in several.
    public var messageSizeMax = 1 << 20
    /// Bytes kept for one receiver until it acknowledges them.
    public var bufferSizeMax = 4 << 20
    /// Pieces kept for one receiver, and pieces kept of one sender while an earlier one is missing.
    public var bufferCountMax = 1024
    public var pieceSizeMax = ContextLimits.matchPayloadSizeMax
    /// What is not acknowledged after this time is sent again.
    public var repeatMilliseconds: Int64 = 2000
    /// Pieces sent again to one receiver because of time: the first ones tell whether it is there.
    public var repeatCountMax = 64
    public init() {}
  }

  public let context: ContextID
  /// Chosen at random, never 0.
  public let seat: UInt64
  public let limits: Limits
  /// The match, once joined.
  public internal(set) var number: UInt64 = 0
  public internal(set) var incarnation: UInt64 = 0
  public internal(set) var expectedPlayerCount: UInt32 = 0
  /// True while this client's connection has the seat, as far as it knows.
  public internal(set) var isJoined = false
  public internal(set) var isEnded = false
  var now: Int64 = 0
  /// In the order of the roster, so that the same events give the same actions.
  var order: [PlayerID] = []
  var links: [PlayerID: ReliableLink] = [:]

  public init(context: ContextID, seat: UInt64, limits: Limits = Limits()) {
    self.context = context
    self.seat = seat
    self.limits = limits
  }

  /// The other players of the match who have joined and not left.
  public var players: [PlayerID] {
    order.filter { [.connected, .disconnected].contains(links[$0]?.state) }
  }

  public func state(of player: PlayerID) -> MatchPlayerState { links[player]?.state ?? .absent }

  /// Pieces that a player has not acknowledged.
  public func unacknowledgedCount(for player: PlayerID) -> Int {
    links[player]?.unacknowledged.count ?? 0
  }
}

// MARK: Joining

extension ReliableChannel {
  /// The call that takes the seat, or takes it again where the last one was lost. The first call of
  /// a channel may ask for a fresh match.
  public func join(startsNew: Bool = false) -> JoinMatch {
    var call = JoinMatch()
    call.context = context
    call.seat = seat
    call.startsNew = startsNew
    guard !startsNew else { return call }
    call.number = number
    call.received = order.compactMap { player in
      guard let link = links[player], link.seat != 0 else { return nil }
      return MatchCursor(player: player, seat: link.seat, through: link.receivedThrough)
    }
    return call
  }

  public mutating func joined(_ reply: JoinMatch.Reply) -> [Action] {
    if reply.number != number {
      (order, links) = ([], [:])
      isEnded = false
    }
    let isComeback = !isJoined || reply.incarnation != incarnation
    number = reply.number
    incarnation = reply.incarnation
    expectedPlayerCount = reply.expectedPlayerCount
    isJoined = true
    return reply.players.flatMap {
      update($0.player, seat: $0.seat, $0.state, isComeback: isComeback)
    }
  }

  /// This client's own connection is gone: nothing is sent until it has joined again.
  public mutating func disconnected() { isJoined = false }

  /// A call of this channel was refused or its outcome is unknown. What is reliable stays in the
  /// buffer and is sent again.
  public mutating func failed(_ failure: Failure) -> [Action] {
    switch failure.code {
    case .conflict:
      guard isJoined else { return [] }
      isJoined = false
      return [.rejoin]
    case .matchEnded: return end(.ended)
    case .notAllowed: return isJoined ? end(.seatTaken) : []
    default: return []
    }
  }

  public mutating func received(_ event: MatchPlayerChanged) -> [Action] {
    guard isJoined, event.context == context, event.incarnation == incarnation else { return [] }
    expectedPlayerCount = event.expectedPlayerCount
    return update(
      event.player, seat: event.seat, event.state, isComeback: event.state == .connected)
  }

  public mutating func received(_ event: MatchSeatTaken) -> [Action] {
    guard event.context == context, event.incarnation == incarnation else { return [] }
    return end(.seatTaken)
  }

  public mutating func received(_ event: MatchEnded) -> [Action] {
    guard event.context == context, event.number == number else { return [] }
    return end(.ended)
  }

  private mutating func end(_ action: Action) -> [Action] {
    guard !isEnded else { return [] }
    isEnded = true
    isJoined = false
    return [action]
  }

  private mutating func update(
    _ player: PlayerID, seat: UInt64, _ state: MatchPlayerState, isComeback: Bool
  ) -> [Action] {
    if links[player] == nil { order.append(player) }
    var link = links.removeValue(forKey: player) ?? ReliableLink()
    let isChanged = link.state != state
    let isNewClient = link.meet(seat: seat, state)
    var actions: [Action] = []
    if isChanged || isNewClient {
      actions.append(.playerChanged(player, state, isNewClient: isNewClient))
    }
    if isComeback || isChanged { actions += resend(&link, to: player, countMax: .max) }
    links[player] = link
    return actions
  }
}
