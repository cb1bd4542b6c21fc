import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// What other services would say of players, for calls that need or ask for it. Facts of the
/// context service itself come from the core under test.
struct FactBook {
  /// Pairs of friends; nil where everybody is everybody's friend.
  var friends: Set<Set<PlayerID>>?
  /// Whether friends' lists have not heard of others' blocks yet. Their own they know.
  var isFriendEvenIfBlocked = false
  /// Who blocks whom.
  var blocks: [PlayerID: Set<PlayerID>] = [:]
  /// Who has never had a session in the game.
  var new: Set<PlayerID> = []
  /// Whom everybody knows of who is asked for friends.
  var everybody: [PlayerID] = (1...140).map { .sample($0) }

  /// Whether the list of one says that the other is a friend.
  func areFriends(_ one: PlayerID, _ other: PlayerID) -> Bool {
    one != other && friends?.contains([one, other]) ?? true
      && blocks[one]?.contains(other) != true
      && (isFriendEvenIfBlocked || !isBlocked(one, other))
  }

  /// Whether one of two blocks the other.
  func isBlocked(_ one: PlayerID, _ other: PlayerID) -> Bool {
    blocks[one]?.contains(other) == true || blocks[other]?.contains(one) == true
  }

  /// - Parameter game: the caller's; nil for the driver's.
  func answer(
    _ opcode: Opcode, at key: RoutingKey, for caller: PlayerID, in game: String? = nil,
    _ driver: ContextDriver
  ) throws -> [UInt8] {
    let player = PlayerID(reinterpreting: key)
    switch opcode {
    case FetchFriends.opcode:
      var reply = FetchFriends.Reply()
      reply.friends = everybody.filter { areFriends(player, $0) }
      reply.time = driver.clock
      return reply.encoded
    case FetchBlocks.opcode:
      var reply = FetchBlocks.Reply()
      reply.blocked = (blocks[player] ?? []).sorted()
      return reply.encoded
    case FetchPlayer.opcode:
      var reply = FetchPlayer.Reply()
      reply.isReachable = blocks[player]?.contains(caller) != true
      reply.isNew = reply.isReachable && new.contains(player)
      reply.time = driver.clock
      return reply.encoded
    default:
      var envelope = ServiceEnvelope()
      envelope.principal = Principal(
        kind: .service, game: game ?? driver.game, player: caller, device: DeviceID())
      envelope.routingKey = key
      return try driver.answer(
        Request(opcode: opcode, envelope: envelope, body: key.bytes, link: 1))
    }
  }
}

extension ContextDriver {
  /// Makes a call as a gateway would: with the facts that it declares, and again with those that
  /// the service asks for. No fact is asked for twice, and no call more often than a gateway
  /// allows.
  @discardableResult
  func ask<O: Operation>(
    _ operation: O, as player: PlayerID, key: RoutingKey? = nil, _ book: FactBook = FactBook(),
    idempotency: IdempotencyKey? = nil, asked: (Opcode) -> Void = { _ in }
  ) throws -> O.Reply {
    if let fault = operation.fault { throw fault }
    var facts = Facts()
    var demandCount = 0
    while true {
      do {
        return try call(operation, as: player, key: key, facts: facts, idempotency: idempotency)
      } catch let failure as Failure where failure.code == .factRequired {
        let demand = try FactDemand(decoding: failure.detail.array)
        let opcode = Opcode(rawValue: demand.opcode)
        asked(opcode)
        // A gateway has fetched the declared ones before.
        if !O.needs.contains(where: { $0.opcode == opcode }) { demandCount += 1 }
        precondition(demandCount <= 4, "\(O.name) asks for facts again and again")
        for key in demand.keys {
          precondition(facts.reply(to: opcode, at: key) == nil, "\(O.name) asks twice")
          facts.all.append(
            Fact(opcode, at: key, reply: try book.answer(opcode, at: key, for: player, self)))
        }
        precondition(facts.all.count <= 128, "\(O.name) needs more facts than a call may have")
      }
    }
  }
}
