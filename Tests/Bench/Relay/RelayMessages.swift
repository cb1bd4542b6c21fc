import Operations
import Transport
import Wire

/// All that the relay's bench knows of the messages of matches.
///
/// A room is one match of a context; today's are of two players.
enum RelayMessages {
  /// The most players that a match takes.
  static let sizeMax = 2

  /// Lets the players of a room into one match: all of them have a seat when `ready` is called.
  static func open(_ players: [RelayPlayer], _ ready: @escaping () -> Void) {
    let (one, other) = (players[0], players[1])
    var invite = InviteFriend()
    invite.player = other.player
    one.call(invite) { _ in
      var answer = AnswerFriend()
      answer.player = one.player
      answer.accept = true
      other.call(answer, tries: 100) { _ in
        enter(one, other) { context in
          enter(other, one) { _ in
            join(players, context, ready)
          }
        }
      }
    }
  }

  private static func enter(
    _ player: RelayPlayer, _ other: RelayPlayer, _ done: @escaping (ContextID) -> Void
  ) {
    var create = CreatePairContext()
    create.player = other.player
    player.call(create, tries: 100) { done($0.context) }
  }

  /// Each joins twice: the second time everybody's seat is known.
  private static func join(
    _ players: [RelayPlayer], _ context: ContextID, _ ready: @escaping () -> Void
  ) {
    var left = players.count * 2
    for round in 0..<2 {
      for (place, player) in players.enumerated() {
        var join = JoinMatch()
        join.context = context
        join.seat = UInt64(place + 1)
        player.call(join, tries: 100) { reply in
          if round == 1 {
            let others = players.filter { $0 !== player }
            player.seat = RelaySeat(
              context: context, incarnation: reply.incarnation, number: UInt64(place + 1),
              others: others.map { other in
                RelaySeat.Other(
                  player: other.player,
                  seat: UInt64(1 + (players.firstIndex { $0 === other } ?? 0)))
              })
          }
          left -= 1
          if left == 0 { ready() }
        }
      }
    }
  }
}

/// A player's place in a match: writes what the player sends, and reads what comes.
struct RelaySeat {
  struct Other {
    var player: PlayerID
    var seat: UInt64
    /// The newest reliable data from and for this player.
    var received: UInt64 = 0
    var sent: UInt64 = 0
    /// What the player was told of that.
    var acknowledged: UInt64 = 0
    /// What the other has of ours.
    var taken: UInt64 = 0
  }

  enum Event {
    /// Data that came in its order; `sender` counts the others.
    case data(sender: Int, payload: [UInt8])
    case acknowledged
    /// Reliable data before this was lost.
    case lost
    case other
  }

  private(set) var others: [Other]
  private var data = SendMatchData()
  private var acknowledgement = AcknowledgeMatchData()

  init(context: ContextID, incarnation: UInt64, number: UInt64, others: [Other]) {
    self.others = others
    data.context = context
    data.incarnation = incarnation
    data.seat = number
    acknowledgement.context = context
    acknowledgement.incarnation = incarnation
    acknowledgement.seat = number
  }

  /// Reliable data that not everybody has acknowledged.
  var openCount: UInt64 { others.reduce(0) { max($0, $1.sent - $1.taken) } }

  mutating func send(_ payload: [UInt8], isReliable: Bool, _ write: (SendMatchData) -> Void) {
    data.payload = Bytes(payload)
    data.isReliable = isReliable
    data.receivers.removeAll(keepingCapacity: true)
    if isReliable {
      for index in others.indices {
        others[index].sent += 1
        data.receivers.append(
          MatchReceiver(
            player: others[index].player, seat: others[index].seat, sequence: others[index].sent))
      }
    }
    write(data)
  }

  /// Acknowledges what came since the last time, one call for each sender.
  mutating func acknowledge(_ write: (AcknowledgeMatchData) -> Void) {
    for index in others.indices where others[index].received > others[index].acknowledged {
      others[index].acknowledged = others[index].received
      acknowledgement.sender = others[index].player
      acknowledgement.senderSeat = others[index].seat
      acknowledgement.through = others[index].received
      write(acknowledgement)
    }
  }

  mutating func take(_ opcode: UInt16, _ body: RawSpan) -> Event {
    switch opcode {
    case MatchData.opcode.rawValue:
      guard let event = try? MatchData(decoding: body), let index = index(of: event.sender) else {
        return .other
      }
      if event.isReliable {
        guard event.sequence == others[index].received + 1 else { return .lost }
        others[index].received = event.sequence
      }
      return .data(sender: index, payload: event.payload.array)
    case MatchDataAcknowledged.opcode.rawValue:
      guard let event = try? MatchDataAcknowledged(decoding: body),
        let index = index(of: event.receiver)
      else { return .other }
      others[index].taken = max(others[index].taken, event.through)
      return .acknowledged
    default: return .other
    }
  }

  private func index(of player: PlayerID) -> Int? { others.firstIndex { $0.player == player } }
}
