import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// The context service, the keys of players beside it, and all that anybody is told: replies,
/// refusals, events of streams, hints and pushes, byte by byte.
final class ListeningWorld {
  /// A player in a game.
  struct Ear: Hashable {
    var player: PlayerID
    var game = "game"
  }

  struct Told {
    var ear: Ear
    var what: String
    var bytes: [UInt8]
  }

  struct Secret {
    var name: String
    var bytes: [UInt8]
    var knowers: Set<Ear>
  }

  let driver = ContextDriver()
  var book = FactBook()
  /// As whom every call is made, whoever makes it: a core that does not look at the caller.
  var impersonated: Ear?
  /// Who hears all that another is told besides replies: a service that goes on telling somebody.
  var eavesdropper: (player: PlayerID, of: PlayerID)?
  /// What happens between the reply to a call and the delivery of what comes of it.
  var interruption: () throws -> Void = {}
  private(set) var told: [Told] = []
  /// By their first eight bytes.
  private var secrets: [UInt64: [Secret]] = [:]
  private var sessions: [UInt64: Ear] = [:]
  private var counter: UInt64 = 0

  // MARK: Calls

  /// Makes a call as a gateway would, delivers what comes of it, and hears who is told what.
  @discardableResult
  func ask<O: Operation>(_ operation: O, as player: PlayerID, in game: String = "game") throws
    -> O.Reply
  {
    let ear = Ear(player: player, game: game)
    let caller = impersonated ?? ear
    driver.clock += 1
    counter += 1
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: caller.game, player: caller.player,
      device: DeviceID(reinterpreting: caller.player))
    envelope.routingKey = key(of: operation, by: caller)
    envelope.session = session(of: caller)
    envelope.idempotency = IdempotencyKey(instance: 2, counter: counter, floor: counter)
    do {
      let body = try answer(operation, envelope, caller)
      told.append(Told(ear: ear, what: "the reply to \(O.name)", bytes: body))
      try interruption()
      try deliver()
      return try O.Reply(decoding: body)
    } catch let failure as Failure {
      told.append(Told(ear: ear, what: "the refusal of \(O.name)", bytes: failure.encoded))
      throw failure
    }
  }

  private func answer<O: Operation>(_ operation: O, _ envelope: ServiceEnvelope, _ caller: Ear)
    throws -> [UInt8]
  {
    var envelope = envelope
    while true {
      do {
        return try driver.answer(
          Request(opcode: O.opcode, envelope: envelope, body: operation.encoded, link: 1))
      } catch let failure as Failure where failure.code == .factRequired {
        let demand = try FactDemand(decoding: failure.detail.array)
        let opcode = Opcode(rawValue: demand.opcode)
        for key in demand.keys {
          let reply = try book.answer(
            opcode, at: key, for: caller.player, in: caller.game, driver)
          envelope.facts.all.append(Fact(opcode, at: key, reply: reply))
        }
      }
    }
  }

  private func key<O: Operation>(of operation: O, by caller: Ear) -> RoutingKey {
    switch O.routing {
    case .fresh: return RoutingKey(high: 70, low: counter)
    case .pair:
      let other = PlayerID(bytes: Array(operation.encoded.prefix(16))) ?? PlayerID()
      return pairKey(caller.player, other, game: caller.game)
    case .firstName:
      let name = Reader.read(operation.encoded) { String.decode(from: &$0) }
      return RoutingKey(game: caller.game, name: (try? name.get()) ?? "")
    default: return driver.routingKey(of: operation, caller: caller.player)
    }
  }

  private func session(of ear: Ear) -> UInt64 {
    let session = ear.player.low + (ear.game == "game" ? 0 : 10_000)
    sessions[session] = ear
    return session
  }

  /// Somebody's block, at the own key and in the own list of contexts.
  func block(_ other: PlayerID, by player: PlayerID) throws {
    book.blocks[player, default: []].insert(other)
    var news = RecordBlock()
    (news.player, news.other, news.isBlocked, news.time) = (player, other, true, driver.clock)
    try driver.call(news, as: PlayerID(), kind: .service)
  }

  // MARK: What is told

  func deliver() throws {
    var isMore = true
    while isMore {
      isMore = false
      for question in try driver.takeEffects(ConfirmMatch.self).map(\.operation) {
        var answer = MatchConfirmed()
        (answer.queue, answer.match, answer.player) =
          (question.queue, question.match, question.player)
        let blocked = book.blocks[question.player] ?? []
        if question.others.contains(where: blocked.contains) { answer.blocked = blocked.sorted() }
        try driver.call(answer, as: PlayerID(), kind: .service)
        isMore = true
      }
      if driver.effects.contains(where: { Opcode(rawValue: $0.opcode).service == .context }) {
        let failures = try driver.deliverOwnEffects()
        precondition(failures.isEmpty, "\(failures)")
        isMore = true
      }
    }
    try hear()
  }

  private func hear() throws {
    for row in driver.effects where row.opcode == AppendEvent.opcode.rawValue {
      let event = try AppendEvent(decoding: row.body.array)
      let isBlocked = book.blocks[event.player]?.contains(event.sender) == true
      if event.isUnlessBlocked && isBlocked { continue }
      tell(
        Ear(player: event.player, game: row.game), "event \(Opcode(rawValue: event.kind))",
        event.body.array)
    }
    for row in driver.effects where row.opcode == RecordRecentPlayers.opcode.rawValue {
      let news = try RecordRecentPlayers(decoding: row.body.array)
      tell(
        Ear(player: news.player, game: row.game), "recent players",
        try RecentPlayersList.bytes(after: news, in: row.game, blocks: book.blocks))
    }
    _ = try driver.takeEffects(AppendEvent.self)
    _ = try driver.takeEffects(RecordRecentPlayers.self)
    precondition(driver.effects.isEmpty, "somebody is told in a way that nobody listens to")
    for hint in driver.hints {
      tell(Ear(player: hint.player, game: hint.game), "hint \(hint.kind)", hint.body)
    }
    driver.hints = []
    for push in driver.pushes {
      guard let ear = sessions[push.channel.session] else {
        preconditionFailure("a push to nobody")
      }
      tell(ear, "push \(Opcode(rawValue: push.opcode))", push.body)
    }
    driver.pushes = []
  }

  private func tell(_ ear: Ear, _ what: String, _ bytes: [UInt8]) {
    told.append(Told(ear: ear, what: what, bytes: bytes))
    guard let eavesdropper, eavesdropper.of == ear.player else { return }
    let other = Ear(player: eavesdropper.player, game: ear.game)
    told.append(Told(ear: other, what: what, bytes: bytes))
  }

  /// Plants a secret that these alone may be told from now on.
  ///
  /// - Parameter bytes: at least eight.
  func plant(_ name: String, _ bytes: [UInt8], knownTo players: [PlayerID]) {
    let secret = Secret(
      name: name, bytes: bytes, knowers: Set(players.map { Ear(player: $0) }))
    secrets[Self.word(bytes, at: 0), default: []].append(secret)
  }

  func plant(_ text: String, knownTo players: [PlayerID]) {
    plant(text, Array(text.utf8), knownTo: players)
  }

  /// Says whom anybody was told of what is not theirs to know, and forgets what was told.
  func takeLeaks() -> [String] {
    defer { told = [] }
    return told.flatMap { told in
      secrets(in: told.bytes).filter { !$0.knowers.contains(told.ear) }.map {
        "\(told.what) told \(told.ear.player) in \(told.ear.game) of \($0.name)"
      }
    }
  }

  func forget() { told = [] }

  private func secrets(in bytes: [UInt8]) -> [Secret] {
    guard bytes.count >= 8 else { return [] }
    var found: [Secret] = []
    for start in 0...bytes.count - 8 {
      guard let near = secrets[Self.word(bytes, at: start)] else { continue }
      found += near.filter { bytes[start...].starts(with: $0.bytes) }
    }
    return found
  }

  private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
    bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
