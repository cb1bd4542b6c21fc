public import Operations
public import Wire

/// One client's side of the data of one match. It numbers the pieces that are sent, keeps each
/// until it is acknowledged, puts the pieces that arrive in order and drops doubles.
///
/// It is a value without clock or connection: events go in by its methods, and actions come out, in
/// the order in which to perform them. It rests on three promises only. A connection keeps order
/// while it lives. Whatever is lost is repeated, because a player came back or because time has
/// passed. And a client that forgot what it knew has another seat number, so that both ends begin
/// anew together.
///
/// Its owner calls `join` at the start, after each lost connection and every ten seconds or so; the
/// `received` methods for each event; `acknowledge` after each batch of events; and `timePassed`
/// about every second.
public struct MatchExchange: Sendable {
  public enum Action: Equatable, Sendable {
    /// Make this call, and give its failure, if any, to `failed`. Unreliable data may be dropped
    /// instead.
    case send(SendMatchData)
    /// Make this call, and give its failure, if any, to `failed`.
    case acknowledge(AcknowledgeMatchData)
    /// Make the call that `join` returns.
    case rejoin
    /// Give the game a message.
    case deliver(from: PlayerID, payload: [UInt8], isReliable: Bool)
    /// Tell the game that a player's state changed, or that a new client has the player's seat.
    case playerChanged(PlayerID, MatchPlayerState, isNewClient: Bool)
    /// Tell the game that a message longer than `Limits.messageSizeMax` was dropped.
    case oversized(from: PlayerID)
    /// Tell the game that another client of the same player has the seat; this one is out.
    case seatTaken
    /// Tell the game that the match has ended.
    case ended
  }

  public struct Limits: Sendable {
    /// The most bytes of one message. A message longer than `pieceSizeMax` goes in several pieces.
    public var messageSizeMax = ContextLimits.matchMessageSizeMax
    /// Bytes kept for one receiver until it acknowledges them, 64 for each piece included; as many
    /// are kept of one sender while an earlier piece is missing.
    public var bufferSizeMax = 4 << 20
    /// Pieces kept for one receiver, and pieces kept of one sender while an earlier one is missing.
    /// They last a player who sends 60 of them a second for longer than another may be away.
    public var bufferCountMax = 4096
    /// Bytes under way to one receiver that it has not acknowledged, and how many of them there are
    /// before its acknowledgements show that its line carries more.
    public var windowSizeMax = ContextLimits.matchWindowSizeMax
    public var firstWindowSize = 8 << 10
    /// What one sender's data may come to before it is acknowledged at once.
    public var urgentSizeMax = ContextLimits.matchAcknowledgementSize
    /// The most bytes of one piece, which is the payload of one call.
    public var pieceSizeMax = ContextLimits.matchPayloadSizeMax
    /// The most bytes of a piece of reliable data. One of each of 15 senders is less than makes the
    /// gateway wait for a slow connection.
    public var reliablePieceSizeMax = 16 << 10
    /// The time without an acknowledgement after which a piece is sent again. It doubles with each
    /// time, up to the second value, until something is acknowledged.
    public var repeatMilliseconds: Int64 = 2000
    public var repeatMillisecondsMax: Int64 = 8000
    public init() {}
  }

  public let context: ContextID
  /// Tells this client from others of the same player; chosen at random, never 0.
  public let seat: UInt64
  public let limits: Limits
  /// The number of the match in its context; 0 until joined.
  public internal(set) var number: UInt64 = 0
  /// Names this life of the match in the service's memory: one that was begun again knows no seats.
  public internal(set) var incarnation: UInt64 = 0
  public internal(set) var expectedPlayerCount: UInt32 = 0
  /// Whether the match has begun; before that nothing can be sent.
  public internal(set) var hasBegun = false
  /// This player's place in the match.
  public internal(set) var place: UInt8 = 0
  /// The player who runs what only one can run; nil until one is chosen.
  public internal(set) var host: PlayerID?
  /// True while this client's connection has the seat, as far as it knows.
  public internal(set) var isJoined = false
  public internal(set) var isEnded = false
  /// How long a call takes to be answered, in milliseconds; 0 when it is not known.
  public var latencyMilliseconds: UInt32 = 0
  var now: Int64 = 0
  /// The version of the roster, and the one with which this client took the seat.
  var version: UInt32 = 0
  var since: UInt32 = 0
  var sentUnreliable: UInt64 = 0
  var pieceCount: UInt64 = 0
  /// What has come since the last acknowledgement.
  var owedSize = 0
  /// The peers in the order of the roster, so that the same events give the same actions.
  var order: [PlayerID] = []
  var peers: [PlayerID: MatchPeer] = [:]
  /// Who has each place.
  var byPlace: [PlayerID?] = []

  public init(context: ContextID, seat: UInt64, limits: Limits = Limits()) {
    self.context = context
    self.seat = seat
    self.limits = limits
  }

  /// The other players of the match who have joined and not left.
  public var players: [PlayerID] {
    order.filter { [.connected, .disconnected].contains(peers[$0]?.state) }
  }

  public func state(of player: PlayerID) -> MatchPlayerState { peers[player]?.state ?? .absent }

  /// The seat number of the client that has a player's seat; 0 when it is not known.
  public func seat(of player: PlayerID) -> UInt64 { peers[player]?.seat ?? 0 }

  /// Returns how many pieces a player has not acknowledged.
  public func unacknowledgedCount(for player: PlayerID) -> Int {
    peers[player]?.unacknowledged.count ?? 0
  }
}

// MARK: Joining

extension MatchExchange {
  /// Returns the call that takes the seat, or takes it again after a lost connection. The first one
  /// may ask for a new match.
  public func join(startsNew: Bool = false) -> JoinMatch {
    var call = JoinMatch()
    call.context = context
    call.seat = seat
    call.startsNew = startsNew
    call.latencyMilliseconds = latencyMilliseconds
    guard !startsNew else { return call }
    call.number = number
    call.received = order.compactMap { player in
      guard let peer = peers[player], peer.seat != 0 else { return nil }
      return MatchCursor(player: player, seat: peer.seat, through: peer.receivedThrough)
    }
    return call
  }

  public mutating func joined(_ reply: JoinMatch.Reply) -> [Action] {
    if reply.number != number {
      (order, peers, byPlace) = ([], [:], [])
      isEnded = false
      hasBegun = false
    }
    let isComeback = !isJoined || reply.incarnation != incarnation
    // A change that was told meanwhile is newer than the reply.
    if !isComeback && reply.roster < version { return [] }
    number = reply.number
    incarnation = reply.incarnation
    expectedPlayerCount = reply.expectedPlayerCount
    hasBegun = hasBegun || reply.hasBegun || reply.expectedPlayerCount == 0
    (place, version, since, host) = (reply.place, reply.roster, reply.since, reply.host)
    isJoined = true
    // Who left before the beginning, and gave the place to another, is not named any more.
    let named = Set(reply.players.map(\.player))
    var actions = order.filter { !named.contains($0) }.flatMap { gone($0) }
    for player in reply.players { actions += update(player, isComeback: isComeback) }
    return actions + sendWaiting(to: order)
  }

  /// A player whom the roster names no more has left.
  private mutating func gone(_ player: PlayerID) -> [Action] {
    guard let peer = peers[player], peer.state != .left else { return [] }
    _ = peers[player]?.meet(seat: 0, .left)
    return [.playerChanged(player, .left, isNewClient: false)]
  }

  /// Notes that this client's connection was lost: nothing is sent until it has joined again.
  public mutating func disconnected() { isJoined = false }

  /// Notes that a call was refused or that its outcome is unknown. Reliable data stays in the
  /// buffer and is sent again.
  public mutating func failed(_ failure: Failure) -> [Action] {
    switch failure.code {
    case .conflict, .notAllowed:
      // The service or the connection has started again, so the seat must be taken again; or the
      // seat is another client's, or nobody's any more: joining again tells which.
      guard isJoined else { return [] }
      isJoined = false
      return [.rejoin]
    case .matchEnded: return end(.ended)
    default: return []
    }
  }

  public mutating func received(_ event: MatchPlayerChanged) -> [Action] {
    guard isJoined, event.context == context, event.incarnation == incarnation,
      event.roster > version
    else { return [] }
    let isNext = event.roster == version + 1
    version = event.roster
    expectedPlayerCount = event.expectedPlayerCount
    hasBegun = hasBegun || event.expectedPlayerCount == 0
    let player = MatchPlayer(
      player: event.player, seat: event.seat, state: event.state, place: event.place)
    let actions =
      update(player, isComeback: event.state == .connected) + sendWaiting(to: [event.player])
    // A change was lost: joining again tells of it.
    return isNext ? actions : actions + [.rejoin]
  }

  public mutating func received(_ event: MatchHostChosen) -> [Action] {
    if event.context == context, event.incarnation == incarnation { host = event.host }
    return []
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

  private mutating func update(_ other: MatchPlayer, isComeback: Bool) -> [Action] {
    let player = other.player
    guard other.place < ContextLimits.matchPlayersMax else { return [] }
    if peers[player] == nil { order.append(player) }
    var peer = peers.removeValue(forKey: player) ?? MatchPeer()
    while byPlace.count <= other.place { byPlace.append(nil) }
    var actions: [Action] = []
    if let before = byPlace[Int(other.place)], before != player { actions += gone(before) }
    peer.place = other.place
    byPlace[Int(other.place)] = player
    let isChanged = peer.state != other.state
    let isNewClient = peer.meet(seat: other.seat, other.state)
    if isChanged || isNewClient {
      actions.append(.playerChanged(player, other.state, isNewClient: isNewClient))
    }
    // A new client gets all that the one before it did not acknowledge, also when the news of it
    // was lost and only a reply tells of it.
    if isComeback || isChanged || isNewClient {
      peer.sendAnew()
    }
    peers[player] = peer
    return actions
  }
}
