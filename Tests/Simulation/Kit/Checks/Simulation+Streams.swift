import Operations
import Wire

extension Simulation {
  /// As often as a client may have to acknowledge until it was told of all that was dropped: what
  /// is dropped behind an `EventsDropped` is told when that was read. Some calls have little time.
  private static let acknowledgementsMax = 12

  private var streams: StreamModel { deployment.ledger.streams }
  private var erasures: ErasureLog { deployment.ledger.erasures }

  /// What is left of an event when all who are erased now are.
  func rest(of event: StreamEvent) -> StreamEvent {
    erasures.rest(of: event)
  }

  /// Everybody acknowledges everything, until nothing unread is counted any more.
  func acknowledgeAll() throws(Violation) {
    for _ in 0..<Self.acknowledgementsMax where !streams.shares.isEmpty {
      for client in workload.clients { workload.acknowledge(client) }
      try settle()
    }
    try require(
      streams.shares.isEmpty, "\(streams.shares.count) counts of unread events are left for ever")
    for client in workload.clients {
      let dropped = streams.streams[client.player]?.dropped.count ?? 0
      let told = toldOfDropped(client)
      try require(
        told == dropped, "\(client.player) was told of \(told) dropped events of \(dropped)")
    }
  }

  private func toldOfDropped(_ client: SimulatedClient) -> Int {
    client.feed.all(EventsDropped.self).reduce(0) { $0 + Int($1.count) }
  }

  /// Checks that the client, from pushes, replays and pages, has the events of the stream: 1 to n.
  func checkStream(_ client: SimulatedClient) throws(Violation) {
    var read = ReadEvents()
    var more = true
    while more {
      let page = try reply(read, as: client.player)
      for event in page.events {
        let index = Int(event.sequence) - 1
        try require(
          client.feed.events.indices.contains(index)
            && rest(of: client.feed.events[index]) == rest(of: event.kept),
          "\(client.player) was not told of event \(event.sequence): \(client.state)")
      }
      try require(
        page.oldest > page.through || page.events.last?.sequence == page.through
          || page.through == read.after,
        "the stream of \(client.player) has a gap before \(page.through)")
      read.after = page.through
      more = page.more
    }
    try require(
      read.after == client.feed.through,
      "\(client.player) has \(client.feed.through) events of \(read.after)")
    try require(
      Set(client.feed.events.map(\.id)).count == client.feed.events.count,
      "two events of \(client.player) have one id")
    try checkTaken(client)
  }

  /// The client has the events that the model saw taken, and was told of no more dropped ones than
  /// there are.
  private func checkTaken(_ client: SimulatedClient) throws(Violation) {
    let stream = streams.streams[client.player]
    let taken = stream?.events ?? []
    try require(
      client.feed.events.elementsEqual(taken) { event, due in
        event.kind == due.kind && event.game == due.game
          && rest(of: event).body.array == erasures.rest(of: due.body, event: due.kind)
      }, "the events of \(client.player) are not those that were caused")
    let (told, dropped) = (toldOfDropped(client), stream?.dropped.count ?? 0)
    try require(
      told <= dropped, "\(client.player) was told of \(told) dropped events of \(dropped)")
  }

  /// The events of one kind that a client has got, and those that it was told were dropped, in
  /// their order.
  func heard<E: Event>(_ type: E.Type, by client: SimulatedClient) -> [E] {
    var dropped = (streams.streams[client.player]?.dropped ?? [])[...]
    var heard: [E] = []
    func take(_ kind: UInt16, _ body: [UInt8]) {
      if kind == E.opcode.rawValue, let event = try? E(decoding: body) { heard.append(event) }
    }
    for event in client.feed.events {
      while let next = dropped.first, next.after < event.sequence {
        take(next.due.kind, next.due.body)
        dropped.removeFirst()
      }
      take(event.kind, event.body.array)
    }
    for last in dropped { take(last.due.kind, last.due.body) }
    return heard
  }
}
