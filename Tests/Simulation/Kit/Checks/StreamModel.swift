import Domain
import Operations
import RequestCore
import Wire

/// The simplest model of the players' event streams: it knows of each event who has caused it, what
/// is unread, and so what may be dropped. It reads the batches of the request service, and the
/// effects that cause events.
///
/// All that is unread is counted anew for each event, where the service keeps counts.
struct StreamModel {
  /// An event that a player is to hear of.
  struct Due: Equatable {
    var player = PlayerID()
    var game = ""
    /// Who has caused it; nil for the game itself.
    var sender = PlayerID()
    var kind: UInt16 = 0
    var body: [UInt8] = []
  }

  struct Dropped {
    /// The newest event of the stream then.
    var after: UInt64
    var due: Due
  }

  struct Stream {
    /// Those that were taken, from number 1 on. An `EventsDropped` has no sender.
    fileprivate(set) var events: [Due] = []
    fileprivate(set) var dropped: [Dropped] = []
    /// When each event was written, by the clock of its owner.
    fileprivate var times: [Int64] = []
    /// Every event up to here is gone for its age.
    fileprivate var expired: UInt64 = 0
    /// By game, how far it has acknowledged the events.
    fileprivate var acknowledged: [String: UInt64] = [:]

    /// Events of no game are read when every game has.
    fileprivate func read(_ game: String) -> UInt64 {
      max(expired, (game.isEmpty ? acknowledged.values.min() : acknowledged[game]) ?? 0)
    }

    /// The unread events of a game.
    fileprivate func unread(_ game: String) -> some Sequence<Due> {
      events.dropFirst(Int(read(game))).lazy.filter { $0.game == game }
    }
  }

  /// What one command of the service has written so far.
  private struct Command {
    var events: [Due] = []
    var hasReceived = false
    /// A player's relation to a friend, before and after.
    var edge: (of: Edge, before: FriendState, after: FriendState)?
  }

  /// An event by its place.
  private struct Place: Hashable {
    var player: PlayerID
    var sequence: UInt64
  }

  private struct Edge: Hashable {
    var player: PlayerID
    var friend: PlayerID
  }

  private let tables = StoredTables(of: RequestCore.self)
  private let perSenderMax: Int
  private let perGameMax: Int
  private let lifetime: Int64
  private var edges: [Edge: FriendState] = [:]
  /// Whom players block, as they were told.
  private var blocks: Set<Edge> = []
  private var command = Command()
  private(set) var streams: [PlayerID: Stream] = [:]
  var erasures = ErasureLog()
  /// Players whose own keys have erased them.
  private var gone: Set<PlayerID> = []
  /// Events that name somebody who is erased, and were removed: mostly to be written anew.
  private var removed: [Place: (row: StoredRow, time: Int64)] = [:]
  /// The keys of the rows in which the service counts what is unread.
  private(set) var shares: Set<[UInt8]> = []
  private(set) var happenings: [Happening: Int] = [:]

  init(_ settings: SettingValues) {
    perSenderMax = Int(settings[.streamEventsPerSender])
    perGameMax = Int(settings[.streamEventsMax])
    lifetime = settings[.streamEventLifetime]
  }

  /// A player's own key has erased the player: nothing is written for it any more.
  mutating func forget(_ player: PlayerID) { gone.insert(player) }

  // MARK: Batches

  /// Whether an event is too old to be kept at a time.
  func isOld(_ sequence: UInt64, of player: PlayerID, at time: Int64) -> Bool {
    guard let times = streams[player]?.times, sequence > 0, sequence <= times.count else {
      return false
    }
    return times[Int(sequence) - 1] + lifetime <= time
  }

  /// Takes a change of a row, of a batch of a time. Returns what is wrong with it.
  mutating func take(_ change: RowChange, at time: Int64) throws(WireError) -> String? {
    let isPut = change.kind == .put
    switch tables.name(of: change.table) {
    case "event":
      let row = try tables.row(change)
      return isPut ? write(row) : remove(row, at: time)
    case "player_game" where isPut:
      let row = try tables.row(change)
      streams[row("player"), default: Stream()].acknowledged[row("game")] = row("acknowledged")
    case "stream_share" where isPut: shares.insert(change.key)
    case "stream_share": shares.remove(change.key)
    case "received_request" where isPut: command.hasReceived = true
    case "friend_edge":
      let row = try tables.row(change)
      let edge = Edge(player: row("player"), friend: row("friend"))
      let state = isPut ? row.friendState : .none
      command.edge = (edge, edges[edge] ?? .none, state)
      edges[edge] = state
    default: break
    }
    return nil
  }

  /// A player's call has taken effect.
  mutating func took(_ call: Ledger.Done) {
    if let (block, _) = call.decoded(BlockPlayer.self) {
      blocks.insert(Edge(player: call.player, friend: block.player))
    } else if let (unblock, _) = call.decoded(UnblockPlayer.self) {
      blocks.remove(Edge(player: call.player, friend: unblock.player))
    }
  }

  private mutating func write(_ row: StoredRow) -> String? {
    let player: PlayerID = row("player")
    var event = Due(
      player: player, game: row("game"), kind: row("kind"), body: row("body", Bytes.self).array)
    let sequence: UInt64 = row("sequence")
    if gone.contains(player) || erasures.isStandIn(player) {
      return "7.3 event \(sequence) is written for \(player), who is erased"
    }
    if removed.removeValue(forKey: Place(player: player, sequence: sequence)) != nil {
      return rewrite(event, sequence)
    }
    let sender = event.namedSender
    if let sender { event.sender = sender }
    streams[player, default: Stream()].events.append(event)
    streams[player]?.times.append(row("time"))
    let count = UInt64(streams[player]?.events.count ?? 0)
    if sender == nil && event.kind != EventsDropped.opcode.rawValue { command.events.append(event) }
    if sequence != count { return "event \(sequence) of \(player) should be number \(count)" }
    return sender == nil ? nil : checkBlock(event) ?? checkBounds(event)
  }

  /// An event is written anew, with what an erasure leaves of it.
  private mutating func rewrite(_ event: Due, _ sequence: UInt64) -> String? {
    guard var known = streams[event.player]?.events[Int(sequence) - 1] else { return nil }
    let isSame =
      erasures.rest(of: known.body, event: known.kind)
      == erasures.rest(of: event.body, event: event.kind)
    if !isSame || (known.game, known.kind) != (event.game, event.kind) {
      return "7.3 an erasure has made \(event) of \(known)"
    }
    known.body = event.body
    streams[event.player]?.events[Int(sequence) - 1] = known
    return nil
  }

  /// Nothing passes a block but the end of what its owner has sent.
  private func checkBlock(_ due: Due) -> String? {
    guard Self.stopped.contains(due.kind),
      blocks.contains(Edge(player: due.player, friend: erasures.origin(due.sender))),
      !due.isAct || !erasures.isErased(due.sender)
    else { return nil }
    return "2.9 event \(due.kind) of \(due.sender) passes a block of \(due.player)"
  }

  /// The request service's events that no block lets through.
  private static let stopped: Set<UInt16> = [
    RequestReceived.opcode.rawValue, RequestAnswered.opcode.rawValue,
    RequestDelivered.opcode.rawValue, InviteTokenClaimed.opcode.rawValue,
    FriendInvitation.opcode.rawValue, FriendAccepted.opcode.rawValue,
  ]

  private mutating func remove(_ row: StoredRow, at time: Int64) -> String? {
    let (player, sequence) = (row("player", PlayerID.self), row("sequence", UInt64.self))
    guard let stream = streams[player], sequence <= stream.events.count, sequence > 0 else {
      return "event \(sequence) of \(player) was removed, and was never there"
    }
    let place = Place(player: player, sequence: sequence)
    if removed[place] == nil, !erasures.isEmpty,
      !erasures.named(in: stream.events[Int(sequence) - 1].body).isEmpty
    {
      removed[place] = (row, time)
      return nil
    }
    if erasures.isErased(player) { return nil }
    happenings[.eventsRemoved, default: 0] += 1
    let game = stream.events[Int(sequence) - 1].game
    if isOld(sequence, of: player, at: time) {
      if sequence > stream.read(game) { happenings[.eventsExpiredUnread, default: 0] += 1 }
      streams[player]?.expired = max(stream.expired, sequence)
      return nil
    }
    return sequence <= stream.read(game)
      ? nil : "event \(sequence) of \(player) was removed before \"\(game)\" had read it"
  }

  /// Ends a command that has applied an effect, nil for one that nobody knows to have been sent.
  /// Returns what is wrong with the events that the command wrote.
  mutating func applied(_ effect: OutboxRow?) -> String? {
    defer { command = Command() }
    guard let effect else { return nil }
    guard let due = due(effect) else {
      return command.events.first.map { "nothing has caused event \($0.kind) of \($0.player)" }
    }
    // Nobody who is erased is told anything.
    if erasures.isErased(due.player) { return nil }
    guard let event = command.events.first else {
      return erasures.isErased(due.sender) && due.isAct ? nil : drop(due)
    }
    var known = due
    known.sender = PlayerID()
    if command.events.map(rest) != [rest(known)] { return "for \(due), \(event) was written" }
    let last = (streams[due.player]?.events.count ?? 0) - 1
    streams[due.player]?.events[last].sender = due.sender
    return checkBlock(due) ?? checkBounds(due)
  }

  /// Ends a batch. Returns what is wrong with events that no effect has caused.
  mutating func endBatch() -> String? {
    var fault = applied(OutboxRow())
    let gone = removed.sorted {
      ($0.key.player, $0.key.sequence) < ($1.key.player, $1.key.sequence)
    }
    for (_, event) in gone { fault = fault ?? remove(event.row, at: event.time) }
    removed = [:]
    return fault
  }

  private func rest(_ edge: Edge) -> Edge {
    Edge(player: erasures.rest(of: edge.player), friend: erasures.rest(of: edge.friend))
  }

  private func rest(_ due: Due) -> Due {
    var rest = due
    rest.body = erasures.rest(of: due.body, event: due.kind)
    return rest
  }

  // MARK: Bounds

  private mutating func drop(_ due: Due) -> String? {
    guard let stream = streams[due.player] else { return "\(due.player) was not told of an event" }
    let (own, all) = counts(due, in: stream)
    streams[due.player]?.dropped.append(Dropped(after: UInt64(stream.events.count), due: due))
    let isFull = !due.sender.isNil && own >= perSenderMax
    happenings[isFull ? .eventsDroppedOfSenders : .eventsDroppedOfGames, default: 0] += 1
    // What the game itself has caused is counted several at a time, all of them until the last is
    // read.
    let isCountedInRuns = stream.unread(due.game).contains { $0.sender.isNil }
    let room = perGameMax - (isCountedInRuns ? max(1, perGameMax / 8) - 1 : 0)
    if !isFull && all < room {
      return "\(due.player) was not told of an event of \(due.sender), for which there was room: "
        + "\(own) of it and \(all) of \"\(due.game)\" were unread"
    }
    // Whoever reads on hears of it, at this place or before.
    let isTold = stream.unread(due.game).contains { $0.kind == EventsDropped.opcode.rawValue }
    return isTold ? nil : "nothing tells \(due.player) that an event was dropped"
  }

  /// What is taken is bounded, and counts may begin late by half of what a sender may have.
  private mutating func checkBounds(_ due: Due) -> String? {
    guard let stream = streams[due.player] else { return nil }
    let (own, all) = counts(due, in: stream)
    let rest = perSenderMax / 2
    if all > perGameMax + rest { return "\(due.player) has \(all) unread events of \(due.game)" }
    if !due.sender.isNil && own > perSenderMax + rest {
      return "\(due.player) has \(own) unread events of \(due.sender)"
    }
    if stream.dropped.contains(where: { $0.after >= stream.read($0.due.game) }) {
      happenings[.eventsTakenBesideDropped, default: 0] += 1
    }
    return nil
  }

  /// The unread events of an event's sender, and all of its game.
  private func counts(_ due: Due, in stream: Stream) -> (own: Int, all: Int) {
    var counts = (own: 0, all: 0)
    for event in stream.unread(due.game) where event.kind != EventsDropped.opcode.rawValue {
      counts.all += 1
      if event.sender == due.sender { counts.own += 1 }
    }
    return counts
  }

  // MARK: What causes events

  /// The event that an effect must cause; nil for none.
  private func due(_ effect: OutboxRow) -> Due? {
    let (opcode, body) = (Opcode(rawValue: effect.opcode), effect.body.array)
    switch opcode {
    case AppendEvent.opcode:
      guard let append = try? AppendEvent(decoding: body) else { return nil }
      let edge = Edge(player: append.player, friend: append.sender)
      if append.isUnlessBlocked && edges[edge] == .blocked { return nil }
      return Due(
        player: append.player, game: effect.game, sender: append.sender, kind: append.kind,
        body: append.body.array)
    case DeliverRequest.opcode:
      guard command.hasReceived, let deliver = try? DeliverRequest(decoding: body) else {
        return nil
      }
      var event = RequestReceived()
      event.request = deliver.request
      return Due(event, to: deliver.player, from: deliver.request.sender, game: effect.game)
    case RequestConcluded.opcode:
      guard let news = try? RequestConcluded(decoding: body) else { return nil }
      return due(news, game: effect.game)
    case FriendEdgeChanged.opcode:
      // Who is nobody has no edge; the last one is of an earlier command then.
      guard let news = try? FriendEdgeChanged(decoding: body), let edge = command.edge,
        rest(edge.of) == rest(Edge(player: news.player, friend: news.friend)),
        edge.before != edge.after
      else { return nil }
      return due(news, edge.after)
    default: return nil
    }
  }

  private func due(_ news: RequestConcluded, game: String) -> Due? {
    let (player, sender) = (news.player, news.recipient)
    let isAct = [.accepted, .declined, .delivered].contains(news.conclusion)
    // A block of somebody who is erased is forgotten, sooner or later.
    let isStopped = isAct && edges[Edge(player: player, friend: sender)] == .blocked
    if isStopped && (!erasures.isErased(sender) || command.events.isEmpty) { return nil }
    switch news.conclusion {
    case .accepted, .declined:
      var event = RequestAnswered()
      (event.request, event.recipient) = (news.request, sender)
      event.accepted = news.conclusion == .accepted
      return Due(event, to: player, from: sender, game: game)
    case .delivered:
      var event = RequestDelivered()
      (event.request, event.recipient) = (news.request, sender)
      return Due(event, to: player, from: sender, game: game)
    case .expired:
      var event = RequestExpired()
      (event.request, event.recipient) = (news.request, sender)
      return Due(event, to: player, from: sender, game: game)
    default:
      var event = RequestDropped()
      (event.request, event.recipient) = (news.request, sender)
      event.outcome = news.conclusion == .notReachable ? .notReachable : .limitReached
      event.retryAfterMilliseconds = news.retryAfterMilliseconds
      return Due(event, to: player, from: sender, game: game)
    }
  }

  private func due(_ news: FriendEdgeChanged, _ state: FriendState) -> Due? {
    switch state {
    case .received:
      let event = FriendInvitation(news.friend, news.displayName)
      return Due(event, to: news.player, from: news.friend, game: "")
    case .friends:
      let event = FriendAccepted(news.friend, news.displayName)
      return Due(event, to: news.player, from: news.friend, game: "")
    default: return nil
    }
  }
}

extension StreamModel.Due {
  /// Whether it says what its sender has done with a request.
  fileprivate var isAct: Bool {
    [RequestAnswered.opcode.rawValue, RequestDelivered.opcode.rawValue].contains(kind)
  }

  /// Who has caused an event that no effect causes, but a call or a timer of its own key: what it
  /// must say `RequestModel` knows.
  fileprivate var namedSender: PlayerID? {
    // Of two friends either may have changed it, and it passes no block: the friendship is over
    // then.
    if kind == ConsentChanged.opcode.rawValue { return player }
    if kind == InviteTokenClaimed.opcode.rawValue {
      return (try? InviteTokenClaimed(decoding: body))?.player
    }
    guard kind == RequestDropped.opcode.rawValue,
      let event = try? RequestDropped(decoding: body), !event.token.isEmpty
    else { return nil }
    return player
  }

  fileprivate init<E: Event>(
    _ event: E, to player: PlayerID, from sender: PlayerID, game: String
  ) {
    self.init(
      player: player, game: game, sender: sender, kind: E.opcode.rawValue, body: event.encoded)
  }
}

extension StoredRow {
  /// The state of a friend's edge.
  fileprivate var friendState: FriendState {
    if self("isBlocked") { return .blocked }
    let ended: Int64 = self("ended")
    switch (self("mine", Int64.self) > ended, self("theirs", Int64.self) > ended) {
    case (false, false): return .none
    case (true, false): return .invited
    case (false, true): return .received
    case (true, true): return .friends
    }
  }
}
