import Domain
import Operations
import RequestCore
import TestKit
import Wire

/// A request service with players in it, driven with a virtual clock.
final class World {
  let driver: CoreDriver<RequestCore>
  private var sessions: UInt64 = 0
  /// The first sessions that the context service was told of.
  private(set) var firstSessions: [(player: PlayerID, key: RoutingKey)] = []

  static let day: Int64 = 24 * 3600 * 1000

  init(settings: [NumberSetting: Int] = [:]) { driver = CoreDriver(settings: settings) }

  /// Registers player `number` and signs it in to the driver's game, on channel `session`.
  func player(_ number: UInt64, name: String? = nil, session: UInt64 = 0) throws -> PlayerID {
    let player = PlayerID.sample(number)
    var registration = registration(player)
    if let name { registration.displayName = name }
    try driver.call(registration, as: player, kind: .service)
    try open(player, session: session)
    return player
  }

  func registration(_ player: PlayerID) -> RegisterDevice {
    var registration = RegisterDevice()
    registration.player = player
    registration.device = device(player)
    registration.secretHash = secret
    registration.displayName = "Player \(player.low)"
    return registration
  }

  let secret = KeyedHash(keyNumber: 1, hash: Bytes([UInt8](repeating: 7, count: 32)))

  func device(_ player: PlayerID) -> DeviceID { DeviceID(reinterpreting: player) }

  /// The way of the gateway: as a service, in a game, on a channel.
  @discardableResult
  func open(
    _ player: PlayerID, session: UInt64 = 0, game: String = "game", cursor: UInt64? = nil,
    edit: (inout OpenSession) -> Void = { _ in }
  ) throws -> OpenSession.Reply {
    var open = OpenSession()
    open.player = player
    open.device = device(player)
    open.secretHashes = [secret]
    open.cursor = cursor
    edit(&open)
    let reply = try call(open, as: player, game: game, session: session, kind: .service)
    for news in try driver.takeEffects(RecordFirstSession.self) {
      firstSessions.append((news.operation.player, news.key))
    }
    return reply
  }

  /// What the context service was told of blocks since the last look.
  func blockNews() throws -> [RecordBlock] {
    try driver.takeEffects(RecordBlock.self).map(\.operation)
  }

  /// Like the driver's own, but in any game and without an idempotency key.
  @discardableResult
  func call<O: Operation>(
    _ operation: O, as player: PlayerID, game: String, session: UInt64 = 0,
    kind: PrincipalKind = .player, device: DeviceID? = nil, facts: Facts = Facts(),
    trace: TraceID = TraceID()
  ) throws -> O.Reply {
    var envelope = ServiceEnvelope()
    envelope.facts = facts
    envelope.traceID = trace
    envelope.principal = Principal(
      kind: kind, game: game, player: player, device: device ?? self.device(player))
    envelope.routingKey = driver.routingKey(of: operation, caller: player)
    envelope.session = session
    let request = Request(opcode: O.opcode, envelope: envelope, body: operation.encoded, link: 1)
    return try O.Reply(decoding: driver.answer(request))
  }

  /// Makes a call as a gateway does, with the facts that the service asks for.
  @discardableResult
  func callWithFacts<O: Operation>(
    _ operation: O, as player: PlayerID, game: String = "game", kind: PrincipalKind = .player,
    asked: (Int) -> Void = { _ in }
  ) throws -> O.Reply {
    var facts = Facts()
    while true {
      do {
        return try call(operation, as: player, game: game, kind: kind, facts: facts)
      } catch let failure as Failure where failure.code == .factRequired {
        let demand = try FactDemand(decoding: failure.detail.array)
        asked(demand.keys.count)
        for key in demand.keys { facts.all.append(try fact(demand.opcode, key, player, game)) }
      }
    }
  }

  private func fact(_ opcode: UInt16, _ key: RoutingKey, _ caller: PlayerID, _ game: String) throws
    -> Fact
  {
    let player = PlayerID(reinterpreting: key)
    func ask<O: Operation>(_ question: O) throws -> Fact {
      let reply = try call(question, as: caller, game: game, kind: .service)
      return Fact(O.self, at: key, reply)
    }
    switch opcode {
    case FetchProfile.opcode.rawValue: return try ask(FetchProfile(of: player))
    case FetchConsent.opcode.rawValue: return try ask(FetchConsent(of: player))
    default:
      var question = FetchBlocks()
      question.player = player
      return try ask(question)
    }
  }

  func befriend(_ one: PlayerID, _ other: PlayerID) throws {
    try driver.call(InviteFriend(other), as: one)
    try driver.call(InviteFriend(one), as: other)
    try driver.deliverOwnEffects()
  }

  /// The state of each edge of `player` that `ListFriends` shows.
  func friends(of player: PlayerID) throws -> [PlayerID: FriendState] {
    Dictionary(
      uniqueKeysWithValues: try driver.call(ListFriends(), as: player).friends.map {
        ($0.player, $0.state)
      })
  }

  /// What a gateway is told for a call of `caller`.
  func isReachable(_ player: PlayerID, by caller: PlayerID) throws -> Bool {
    var fetch = FetchPlayer()
    fetch.player = player
    return try driver.call(fetch, as: caller, kind: .service).isReachable
  }

  func isFriend(_ player: PlayerID, of caller: PlayerID) throws -> Bool {
    var fetch = FetchPlayer()
    fetch.player = player
    return try driver.call(fetch, as: caller, kind: .service).isFriend
  }

  func mutualFriends(of player: PlayerID) throws -> [PlayerID] {
    var fetch = FetchFriends()
    fetch.player = player
    return try driver.call(fetch, as: player, kind: .service).friends
  }

  func blocked(by player: PlayerID) throws -> [PlayerID] {
    var fetch = FetchBlocks()
    fetch.player = player
    return try driver.call(fetch, as: player, kind: .service).blocked
  }

  /// All events of the stream that the player's client in `game` sees.
  func stream(of player: PlayerID, game: String = "game") throws -> [StreamEvent] {
    var events: [StreamEvent] = []
    var read = ReadEvents()
    while true {
      let page = try call(read, as: player, game: game)
      events += page.events
      read.after = page.through
      if !page.more { return events }
    }
  }

  func events<E: Event>(_ type: E.Type, of player: PlayerID, game: String = "game") throws -> [E] {
    try stream(of: player, game: game).filter { $0.kind == E.opcode.rawValue }
      .map { try E(decoding: $0.body.array) }
  }

  /// Appends `count` events as another service would.
  ///
  /// - Parameter sender: the number of the player who has caused them; 0 for the game itself.
  func append(
    _ count: Int, to player: PlayerID, game: String = "game", from sender: UInt64 = 0,
    trace: TraceID = TraceID()
  ) throws {
    for number in 0..<count {
      var append = AppendEvent()
      append.player = player
      append.sender = sender == 0 ? PlayerID() : .sample(sender)
      append.kind = 0x0177
      append.body = Bytes([UInt8(truncatingIfNeeded: number)])
      try call(append, as: player, game: game, kind: .service, trace: trace)
    }
  }

  func restart(settings: [NumberSetting: Int]? = nil, without lost: UInt16? = nil) throws {
    try driver.restart(
      settings: settings.map { SettingValues(of: RequestCore.self, $0) }, without: lost)
  }
}

/// The failure that `body` ends with; nil when it succeeds.
func failure(_ body: () throws -> Void) throws -> Failure? {
  do {
    try body()
    return nil
  } catch let failure as Failure {
    return failure
  }
}

extension InviteFriend {
  init(_ player: PlayerID) {
    self.init()
    self.player = player
  }
}

extension AnswerFriend {
  init(_ player: PlayerID, accept: Bool) {
    self.init()
    self.player = player
    self.accept = accept
  }
}

extension RemoveFriend {
  init(_ player: PlayerID) {
    self.init()
    self.player = player
  }
}

extension BlockPlayer {
  init(_ player: PlayerID) {
    self.init()
    self.player = player
  }
}

extension UnblockPlayer {
  init(_ player: PlayerID) {
    self.init()
    self.player = player
  }
}

extension GetProfile {
  init(_ player: PlayerID) {
    self.init()
    self.player = player
  }
}

extension SendRequest {
  init(to recipients: [PlayerID], message: String = "Play with me") {
    self.init()
    self.message = message
    self.recipients = recipients.map(\.description)
  }
}

extension AnswerRequest {
  init(_ request: RequestID, accept: Bool) {
    self.init()
    self.request = request
    self.accept = accept
  }
}

extension DeleteRequest {
  init(_ request: RequestID) {
    self.init()
    self.request = request
  }
}

extension Acknowledge {
  init(through: UInt64) {
    self.init()
    self.through = through
  }
}
