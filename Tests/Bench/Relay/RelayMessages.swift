import Operations
import Transport
import Wire

/// All that the relay's bench knows of the messages of matches.

/// Opens contexts as a service does for players whom it has put together: directly at the context
/// service, so that players of any number need not become friends first.
final class RelayOpener {
  private let link: Link
  private let plan: RelayPlan

  init(loop: Loop, plan: RelayPlan) throws {
    self.plan = plan
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
    envelope.principal.game = plan.game
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
        if again { player.seat = RelaySeat(context, seat: join.seat, reply, plan) }
        left -= 1
        if left > 0 { return }
        if again { ready() } else { self.join(players, context, again: true, ready) }
      }
    }
  }
}

/// A player's place in a match: writes what the player sends, and reads what comes.
///
/// It knows where the few fields are that differ from one message to the next, so that the load
/// costs no more than that of the C baseline has to.
struct RelaySeat {
  private struct Other {
    var seat: UInt64
    /// The newest reliable data of the other, and up to where the other was told so.
    var received: UInt64 = 0
    var acknowledged: UInt64 = 0
  }

  enum Event {
    /// Data that came in its order, and the time at which it begins.
    case data(time: UInt64)
    case acknowledged
    /// Reliable data before this was lost.
    case lost
    case other
  }

  /// By place; nil at the player's own.
  private var others: [Other?]
  private var sent: UInt64 = 0
  /// A call with data, behind its envelope: its number and its time are filled in.
  private var data: [UInt8]
  private let (sequenceOffset, timeOffset): (Int, Int)
  private var acknowledgement = AcknowledgeMatchData()

  init(_ context: ContextID, seat: UInt64, _ reply: JoinMatch.Reply, _ plan: RelayPlan) {
    others = .init(repeating: nil, count: reply.players.count + 1)
    for other in reply.players { others[Int(other.place)] = Other(seat: other.seat) }
    var call = SendMatchData()
    call.context = context
    call.incarnation = reply.incarnation
    call.seat = seat
    call.roster = reply.roster
    call.isReliable = plan.isReliable
    call.payload = Bytes([UInt8](repeating: 1, count: plan.payload))
    data = Enveloped.join(ClientEnvelope(), call.encoded)
    timeOffset = data.count - plan.payload
    // Before the payload are its length, and the number of exceptions, of which there are none.
    sequenceOffset = timeOffset - 4 - 4 - 8
    acknowledgement.context = context
    acknowledgement.incarnation = reply.incarnation
    acknowledgement.seat = seat
  }

  /// The body of the next call with data.
  mutating func send(time: UInt64) -> [UInt8] {
    sent += 1
    unsafe data.withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: sent.bigEndian, toByteOffset: sequenceOffset, as: UInt64.self)
      unsafe $0.storeBytes(of: time.bigEndian, toByteOffset: timeOffset, as: UInt64.self)
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
      guard let data = RelayedData(body), data.place < others.count else { return .other }
      if data.isReliable {
        guard data.sequence == (others[data.place]?.received ?? 0) + 1 else { return .lost }
        others[data.place]?.received = data.sequence
      }
      return .data(time: data.time)
    case MatchDataAcknowledged.opcode.rawValue:
      let event = try? MatchDataAcknowledged(decoding: body)
      return event == nil ? .other : .acknowledged
    default: return .other
    }
  }
}

/// What the load reads of a `MatchData`.
private struct RelayedData {
  let place: Int
  let isReliable: Bool
  let sequence: UInt64
  let time: UInt64

  init?(_ body: RawSpan) {
    let read = Reader.read(body) { reader in
      // The context and the incarnation.
      reader.skip(16 + 8)
      let place: UInt8 = reader.integer()
      // The sender's seat and the roster.
      reader.skip(8 + 4)
      let isReliable = reader.flag()
      _ = reader.flag()
      let sequence: UInt64 = reader.integer()
      // Exceptions, of which there are none, and the length of the payload.
      reader.skip(4 + 4)
      let time: UInt64 = reader.integer()
      return (place, isReliable, sequence, time)
    }
    guard case .success(let fields) = read else { return nil }
    (place, isReliable, sequence, time) = (Int(fields.0), fields.1, fields.2, fields.3)
  }
}
