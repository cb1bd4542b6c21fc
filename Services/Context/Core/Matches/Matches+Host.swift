import Domain
import Operations
import Wire

extension Matches {
  func chooseMatchHost(
    _ operation: ChooseMatchHost, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChooseMatchHost.Reply {
    let context = operation.context
    let place = try seated(context, operation.incarnation, operation.seat, call)
    note(operation.latencyMilliseconds, of: place, in: context)
    var reply = ChooseMatchHost.Reply()
    guard var roster = table[context], let match = live[context] else { return reply }
    if let host = roster.host, let place = match.place(of: host),
      match.seats[place].channel != nil
    {
      reply.host = host
      return reply
    }
    guard let best = match.bestHost(now: transaction.now) else { return reply }
    reply.host = match.seats[best].player
    if roster.host == reply.host { return reply }
    roster.host = reply.host
    table.put(roster, &transaction)
    var event = MatchHostChosen()
    event.context = context
    event.incarnation = match.incarnation
    event.host = match.seats[best].player
    transaction.push(event, to: channels(of: context, besides: place))
    return reply
  }

  func note(_ latency: UInt32, of place: Int, in context: ContextID) {
    guard latency != 0 else { return }
    live[context]?.seats[place].latency = min(
      latency, UInt32(ContextLimits.matchLatencyMillisecondsMax))
  }
}

extension LiveMatches.Match {
  /// How long a host waits for the latency of a connected player.
  private static let latencyWaitMilliseconds: Int64 = 5000

  /// The place of the connected player whose longest way to another is the shortest. All ways lead
  /// through the service, so a way is as long as the two players' own together. Nil while anybody
  /// is expected before the beginning, or the way of a player who has just connected is not known;
  /// one who does not tell it for longer is as far as can be.
  fileprivate func bestHost(now: Int64) -> Int? {
    let places = seats.indices.filter { seats[$0].channel != nil }
    let areKnown = places.allSatisfy {
      seats[$0].latency != 0 || now - seats[$0].connectedAt >= Self.latencyWaitMilliseconds
    }
    guard hasBegun, areKnown else { return nil }
    func latency(_ place: Int) -> UInt32 {
      let latency = seats[place].latency
      return latency == 0 ? UInt32(ContextLimits.matchLatencyMillisecondsMax) : latency
    }
    func longest(_ host: Int) -> UInt32 {
      let others = places.filter { $0 != host }.map(latency)
      return latency(host) + (others.max() ?? 0)
    }
    return places.min { (longest($0), $0) < (longest($1), $1) }
  }
}
