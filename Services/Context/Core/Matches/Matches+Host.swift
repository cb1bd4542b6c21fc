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
    guard let best = match.bestHost else { return reply }
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
  /// The place of the connected player whose longest way to another is the shortest. All ways lead
  /// through the service, so a way is as long as the two players' own together. Nil while anybody
  /// is expected before the beginning, or a connected player's way is not known.
  fileprivate var bestHost: Int? {
    let places = seats.indices.filter { seats[$0].channel != nil }
    guard hasBegun, places.allSatisfy({ seats[$0].latency != 0 }) else { return nil }
    func longest(_ host: Int) -> UInt32 {
      let others = places.filter { $0 != host }.map { seats[$0].latency }
      return seats[host].latency + (others.max() ?? 0)
    }
    return places.min { (longest($0), $0) < (longest($1), $1) }
  }
}
