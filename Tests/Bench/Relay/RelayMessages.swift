import Operations
import Transport
import Wire

/// All that the relay's bench knows of the messages of matches.

/// Opens contexts as a service does for players whom it has put together: directly at the context
/// service, so that players of any number need not become friends first.
final class RelayOpener {
  private let link: Link
  private let game: String

  init(loop: Loop, plan: RelayPlan) throws {
    game = plan.game
    let tls = try TLSClientContext(
      trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
      serverName: "context.muster.internal")
    link = Link(on: loop, host: "127.0.0.1", port: plan.contextPort, tls: tls)
  }

  /// Lets players into one match: all of them have a seat when `ready` is called.
  func open(_ players: [RelayPlayer], _ report: RelayReport, _ ready: @escaping () -> Void) {
    var open = OpenContext()
    open.context = ContextID(
      high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    open.players = players.map {
      ContextPlayer(player: $0.player, role: .participant, state: .active)
    }
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.principal.game = game
    envelope.routingKey = RoutingKey(reinterpreting: open.context)
    link.call(
      OpenContext.opcode.rawValue, body: Enveloped.join(envelope, open.encoded),
      deadlineMilliseconds: 10_000
    ) { [self] result in
      switch result {
      case .success: join(players, open.context, ready)
      case .failure(let failure): report.fail("OpenContext: \(failure)")
      }
    }
  }

  /// Each joins twice: the second time everybody's place is known.
  private func join(
    _ players: [RelayPlayer], _ context: ContextID, again: Bool = false,
    _ ready: @escaping () -> Void
  ) {
    var left = players.count
    for (index, player) in players.enumerated() {
      var join = JoinMatch()
      join.context = context
      join.seat = UInt64(index + 1)
      player.call(join, tries: 100) { [self] reply in
        if again { player.seat = RelaySeat(context, seat: join.seat, reply) }
        left -= 1
        if left > 0 { return }
        if again { ready() } else { self.join(players, context, again: true, ready) }
      }
    }
  }
}

/// A player's place in a match: writes what the player sends, and reads what comes.
struct RelaySeat {
  private struct Other {
    var seat: UInt64
    /// The newest reliable data of the other, and up to where the other was told so.
    var received: UInt64 = 0
    var acknowledged: UInt64 = 0
  }

  enum Event {
    /// Data that came in its order.
    case data(payload: [UInt8])
    case acknowledged
    /// Reliable data before this was lost.
    case lost
    case other
  }

  /// By place; nil at the player's own.
  private var others: [Other?]
  private var sent: (reliable: UInt64, unreliable: UInt64) = (0, 0)
  private var data = SendMatchData()
  private var acknowledgement = AcknowledgeMatchData()

  init(_ context: ContextID, seat: UInt64, _ reply: JoinMatch.Reply) {
    others = .init(repeating: nil, count: reply.players.count + 1)
    for other in reply.players { others[Int(other.place)] = Other(seat: other.seat) }
    data.context = context
    data.incarnation = reply.incarnation
    data.seat = seat
    data.roster = reply.roster
    acknowledgement.context = context
    acknowledgement.incarnation = reply.incarnation
    acknowledgement.seat = seat
  }

  mutating func send(_ payload: [UInt8], isReliable: Bool) -> SendMatchData {
    data.payload = Bytes(payload)
    data.isReliable = isReliable
    if isReliable {
      sent.reliable += 1
      data.sequence = sent.reliable
    } else {
      sent.unreliable += 1
      data.sequence = sent.unreliable
    }
    return data
  }

  /// Acknowledges what came since the last time, of all senders; nil when nothing has.
  mutating func acknowledge() -> AcknowledgeMatchData? {
    acknowledgement.receipts.removeAll(keepingCapacity: true)
    for place in others.indices {
      guard let other = others[place], other.received > other.acknowledged else { continue }
      others[place]?.acknowledged = other.received
      acknowledgement.receipts.append(
        MatchReceipt(place: UInt8(place), seat: other.seat, through: other.received))
    }
    return acknowledgement.receipts.isEmpty ? nil : acknowledgement
  }

  mutating func take(_ opcode: UInt16, _ body: RawSpan) -> Event {
    switch opcode {
    case MatchData.opcode.rawValue:
      guard let event = try? MatchData(decoding: body), Int(event.place) < others.count else {
        return .other
      }
      let place = Int(event.place)
      if event.isReliable {
        guard event.sequence == (others[place]?.received ?? 0) + 1 else { return .lost }
        others[place]?.received = event.sequence
      }
      return .data(payload: event.payload.array)
    case MatchDataAcknowledged.opcode.rawValue:
      let event = try? MatchDataAcknowledged(decoding: body)
      return event == nil ? .other : .acknowledged
    default: return .other
    }
  }
}
