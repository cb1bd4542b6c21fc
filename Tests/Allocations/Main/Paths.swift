import ContextCore
import Domain
import LeaderboardCore
import Operations
import Transport
import Wire

/// A board of some thousand players, each of whom gets better with every score.
struct LeaderboardPaths {
  private static let players: UInt64 = 1_000
  private let service: ServiceInMemory
  private let board = "high-score"
  private var key: RoutingKey { RoutingKey(game: "game", name: board) }

  init(on loop: Loop) throws { service = try ServiceInMemory(LeaderboardCore(), on: loop) }

  private var define: HotCall {
    var define = DefineLeaderboard()
    define.definition.board = board
    var envelope = ServiceEnvelope(PlayerID(), at: key, counter: 1)
    envelope.principal.kind = .gameServer
    return HotCall(define, envelope)
  }

  private func score(_ number: Int) -> HotCall {
    var submit = SubmitScore()
    submit.board = board
    submit.value = Int64(number)
    let player = PlayerID(high: 1, low: 1 + UInt64(number) % Self.players)
    return HotCall(submit, ServiceEnvelope(player, at: key, counter: 1 + UInt64(number)))
  }

  var submit: HotPath {
    HotPath(name: "submit", link: service.link, setUp: [define]) { number, _ in score(number) }
  }

  var rank: HotPath {
    let scores = (0..<Int(Self.players)).map { score($0) }
    return HotPath(name: "rank", link: service.link, setUp: [define] + scores) { number, _ in
      var rank = RankOfPlayer()
      rank.board = board
      let player = PlayerID(high: 1, low: 1 + UInt64(number) % Self.players)
      return HotCall(rank, ServiceEnvelope(player, at: key))
    }
  }
}

/// Two players of a match, of whom one sends data to the other.
struct MatchDataPath {
  private let service: ServiceInMemory
  private let ann = PlayerID(high: 1, low: 1)
  private let ben = PlayerID(high: 1, low: 2)
  private let context = ContextID(high: 2, low: 3)

  init(on loop: Loop) throws { service = try ServiceInMemory(ContextCore(), on: loop) }

  private func envelope(_ player: PlayerID, counter: UInt64 = 0) -> ServiceEnvelope {
    ServiceEnvelope(
      player, at: RoutingKey(reinterpreting: context), counter: counter,
      session: player.low)
  }

  private var create: HotCall {
    var create = CreatePairContext()
    create.player = ben
    var friends = FetchFriends.Reply()
    friends.friends = [ben]
    var reachable = FetchPlayer.Reply()
    reachable.isReachable = true
    var envelope = envelope(ann, counter: 1)
    envelope.facts = Facts([
      Fact(FetchFriends.opcode, at: RoutingKey(reinterpreting: ann), reply: friends.encoded),
      Fact(FetchPlayer.opcode, at: RoutingKey(reinterpreting: ben), reply: reachable.encoded),
    ])
    return HotCall(create, envelope)
  }

  private var enter: HotCall {
    var enter = SwitchContext()
    enter.context = context
    var reachable = FetchPlayer.Reply()
    reachable.isReachable = true
    let (current, blocks) = (FetchCurrentContext.Reply(), FetchBlocks.Reply())
    let own = RoutingKey(reinterpreting: ben)
    var envelope = envelope(ben, counter: 1)
    envelope.facts = Facts([
      Fact(FetchCurrentContext.opcode, at: own, reply: current.encoded),
      Fact(FetchBlocks.opcode, at: own, reply: blocks.encoded),
      Fact(FetchPlayer.opcode, at: RoutingKey(reinterpreting: ann), reply: reachable.encoded),
    ])
    return HotCall(enter, envelope)
  }

  private func join(_ player: PlayerID) -> HotCall {
    var join = JoinMatch()
    join.context = context
    join.seat = player.low
    return HotCall(join, envelope(player, counter: 2))
  }

  var relay: HotPath {
    HotPath(
      name: "relayed match data", link: service.link, setUp: [create, enter, join(ann), join(ben)]
    ) { [self] _, joined in try data(joined) }
  }

  /// The first of sixteen players sends data to all others, on one link.
  var fanOut: HotPath {
    let players = (1...16).map { PlayerID(high: 1, low: $0) }
    return HotPath(
      name: "event pushed to 15 clients", link: service.link,
      setUp: [open(players)] + players.map(join)
    ) { [self] _, joined in try data(joined) }
  }

  /// The same with reliable data. All others acknowledge it now and then, as otherwise it would not
  /// be passed on.
  var relayToSixteen: HotPath {
    let players = (1...16).map { PlayerID(high: 1, low: $0) }
    return HotPath(
      name: "relayed match data to 15", link: service.link,
      setUp: [open(players)] + players.map(join)
    ) { [self] number, joined in
      let (round, place) = number.quotientAndRemainder(dividingBy: Self.roundCount)
      let dataCount = Self.roundCount - 15
      let sent = UInt64(round * dataCount)
      if place < dataCount { return try data(joined, sequence: sent + UInt64(place) + 1) }
      let receiver = players[1 + place - dataCount]
      return try acknowledgement(joined, of: receiver, through: sent + UInt64(dataCount))
    }
  }

  /// Calls of a round: pieces of data, and an acknowledgement of each receiver.
  private static let roundCount = 1_024

  private func acknowledgement(_ joined: [UInt8], of player: PlayerID, through number: UInt64)
    throws -> HotCall
  {
    let joined = try JoinMatch.Reply(decoding: joined)
    var acknowledge = AcknowledgeMatchData()
    acknowledge.context = context
    acknowledge.incarnation = joined.incarnation
    acknowledge.seat = player.low
    acknowledge.receipts = [MatchReceipt(place: 0, seat: ann.low, through: number)]
    return HotCall(acknowledge, envelope(player))
  }

  private func open(_ players: [PlayerID]) -> HotCall {
    var open = OpenContext()
    open.context = context
    open.players = players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    var envelope = envelope(PlayerID())
    envelope.principal.kind = .service
    return HotCall(open, envelope)
  }

  /// What the first player sends, when the last one's answer to the join is this.
  ///
  /// - Parameter sequence: of reliable data.
  private func data(_ joined: [UInt8], sequence: UInt64? = nil) throws -> HotCall {
    let joined = try JoinMatch.Reply(decoding: joined)
    var data = SendMatchData()
    data.context = context
    data.incarnation = joined.incarnation
    data.roster = joined.roster
    data.seat = ann.low
    data.isReliable = sequence != nil
    data.sequence = sequence ?? 0
    data.payload = Bytes([UInt8](repeating: 7, count: 64))
    return HotCall(data, envelope(ann))
  }
}

/// A call passed on over a link, to a peer that answers at once.
struct EchoPath {
  private let link: Link

  private final class Peer: ConnectionDelegate {
    func connectionReady(_ connection: Connection) {}
    func connectionClosed(_ connection: Connection, reason: CloseReason) {}
    func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
      connection.send(
        FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation), body: [])
    }
  }

  init(on loop: Loop) { link = Link(on: loop, to: LocalPort(on: loop) { _ in Peer() }) }

  var forward: HotPath {
    HotPath(name: "forwarded over a link", link: link) { number, _ in
      let key = RoutingKey(high: 1, low: UInt64(number))
      return HotCall(SubmitScore(), ServiceEnvelope(PlayerID(high: 1, low: 1), at: key))
    }
  }
}
