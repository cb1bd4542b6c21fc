import Operations
import Wire

/// Friends who send each other requests. With one recipient both of a pair send; with more the
/// first of each group sends to all others of it. All are connected, and a sender sends the next
/// request as soon as one is accepted.
final class RequestPlay {
  private static let retryMilliseconds: UInt64 = 50
  private static let triesMax = 200

  private struct Sender {
    let client: LoadClient
    let friends: [LoadClient]
    /// What the senders send, but for the time.
    var operation = SendRequest()
  }

  private var senders: [Sender] = []
  private let clients: [LoadClient]
  private let plan: LoadPlan
  private let long: LongStream?
  private var preparing = 0

  init(_ clients: [LoadClient], _ plan: LoadPlan, _ long: LongStream?) {
    self.clients = clients
    self.plan = plan
    self.long = long
  }

  // MARK: Friends

  func prepare(_ ready: @escaping () -> Void) {
    let size = plan.recipients + 1
    for start in stride(from: 0, through: clients.count - size, by: size) {
      let group = Array(clients[start..<start + size])
      senders.append(Sender(client: group[0], friends: Array(group[1...])))
      if size == 2 { senders.append(Sender(client: group[1], friends: [group[0]])) }
    }
    guard !senders.isEmpty else {
      return clients[0].report.fail("\(clients.count) connections are too few for a sender")
    }
    for client in clients { client.onEvent = { [unowned self] in took($0, client) } }
    preparing = senders.count
    for place in senders.indices {
      let friends = senders[place].friends.map(\.player)
      senders[place].operation.message = "come and play"
      senders[place].operation.recipients = friends.map(\.description)
      invite(senders[place].client, friends[...]) { [self] in
        befriend(senders[place].friends[...], senders[place].client) { [self] in
          sendFirst(senders[place], tries: Self.triesMax) { [self] in
            preparing -= 1
            if preparing == 0 { fillStream(ready) }
          }
        }
      }
    }
  }

  private func invite(
    _ client: LoadClient, _ friends: ArraySlice<PlayerID>, _ done: @escaping () -> Void
  ) {
    client.callToChange(InviteFriends(Array(friends))) { reply in
      guard reply.outcomes.allSatisfy({ $0.refusal == nil }) else {
        return client.report.fail("InviteFriends: \(reply.outcomes)")
      }
      done()
    }
  }

  /// Has each friend invite the sender as well, one after the other.
  private func befriend(
    _ friends: ArraySlice<LoadClient>, _ sender: LoadClient, _ done: @escaping () -> Void
  ) {
    guard let friend = friends.first else { return done() }
    invite(friend, [sender.player]) { [self] in befriend(friends.dropFirst(), sender, done) }
  }

  /// Sends until every friend is known to be one: what friends say of each other is on its way.
  private func sendFirst(_ sender: Sender, tries: Int, _ done: @escaping () -> Void) {
    sender.client.callToChange(sender.operation) { [self] reply in
      if reply.recipients.allSatisfy({ $0.outcome == .queued }) { return done() }
      guard tries > 1 else { return sender.client.report.fail("SendRequest: \(reply)") }
      sender.client.wait(Self.retryMilliseconds) { [self] in
        sendFirst(sender, tries: tries - 1, done)
      }
    }
  }

  private func fillStream(_ ready: @escaping () -> Void) {
    if let long { long.prepare(ready) } else { ready() }
  }

  // MARK: Requests

  func begin() {
    for place in senders.indices {
      for _ in 0..<plan.depth { send(place) }
    }
    // The first half without it, to compare with.
    if let long { clients[0].wait(UInt64(plan.seconds) * 500) { long.read() } }
  }

  private func send(_ place: Int) {
    let client = senders[place].client
    guard client.report.isOpen else { return }
    senders[place].operation.data = "\(client.microseconds)"
    client.change(senders[place].operation) { [self] reply in
      guard reply.recipients.allSatisfy({ $0.outcome == .queued }) else { return nil }
      send(place)
      return reply.request.low
    }
  }

  private func took(_ event: StreamEvent, _ client: LoadClient) {
    guard event.kind != RequestDropped.opcode.rawValue else {
      return client.report.fail("a request was dropped")
    }
    guard event.kind != EventsDropped.opcode.rawValue else {
      return client.report.fail("events were dropped")
    }
    guard event.kind == RequestReceived.opcode.rawValue,
      let received = try? RequestReceived(decoding: event.body.array),
      let sent = received.request.data.flatMap({ UInt64($0) })
    else { return }
    client.report.heard(microseconds: client.microseconds - sent)
    // Otherwise the lists of few players would be full soon.
    if long != nil {
      var delete = DeleteRequest()
      delete.request = received.request.request
      client.callToChange(delete) { _ in }
    }
  }
}
