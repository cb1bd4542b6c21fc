import Domain
import Operations
import RequestCore
import Wire

/// What must hold of game requests, invite tokens and what is told of them when nothing is under
/// way.
extension Simulation {
  func checkRequests() throws(Violation) {
    let promises = options.promises(of: RequestCore.self)
    let names = Dictionary(
      workload.players.map { ($0.player, $0.displayName) }, uniquingKeysWith: { one, _ in one })
    var model = try RequestModel(deployment.ledger, promises, names: names)
    model.expireTokens { deployment.requestTime(of: RoutingKey(reinterpreting: $0)) }
    try model.checkRoom()
    for client in workload.clients {
      try checkPrivacy(client)
      try checkInbox(client.player, model)
      try checkTokens(client.player, model)
      try checkAge(client.player, promises)
      try checkSnapshot(client, model)
    }
    try checkTold(model.told, toldOfRequests, maybe: model.toldMaybe)
    try checkNothingDue(model, promises)
    happenings.take(model)
  }

  /// A recipient is told of the sender alone, in whatever is said of a request.
  private func checkPrivacy(_ client: SimulatedClient) throws(Violation) {
    for event in client.feed.events where event.kind == RequestReceived.opcode.rawValue {
      guard let request = try? RequestReceived(decoding: event.body.array).request else {
        throw Violation(description: "\(client.player) was told of a request that cannot be read")
      }
      try checkPrivacy(client.player, request, event.body.array)
    }
    for request in try inbox(of: client.player) {
      try checkPrivacy(client.player, request, request.encoded)
    }
  }

  private func checkPrivacy(_ player: PlayerID, _ request: ReceivedRequest, _ bytes: [UInt8])
    throws(Violation)
  {
    for other in workload.clients.map(\.player) where other != player && other != request.sender {
      try require(
        !PlayerTrace(other).isIn(bytes),
        "2.7 \(player) is told of another recipient, \(other), of \(request.request)")
    }
  }

  func inbox(of player: PlayerID) throws(Violation) -> [ReceivedRequest] {
    var all: [ReceivedRequest] = []
    var inbox = Inbox()
    inbox.limit = 3
    repeat {
      let page = try reply(inbox, as: player)
      all += page.requests
      inbox.cursor = page.cursor
    } while !inbox.cursor.isEmpty
    return all
  }

  /// Nothing that is too old is kept.
  private func checkAge(_ player: PlayerID, _ promises: SettingValues) throws(Violation) {
    let page = try reply(ReadEvents(), as: player)
    guard let oldest = page.events.first else { return }
    let time = deployment.requestTime(of: RoutingKey(reinterpreting: player))
    try require(
      time <= oldest.time + promises[.streamEventLifetime] + Self.timerMillisecondsMax,
      "2.8 event \(oldest.sequence) of \(player) is kept for too long")
  }

  /// A snapshot says how the lists stand.
  private func checkSnapshot(_ client: SimulatedClient, _ model: RequestModel) throws(Violation) {
    let player = client.player
    let snapshot = try reply(ReadSnapshot(), as: player)
    let list = try reply(ListFriends(), as: player).friends
    try require(
      snapshot.through == client.feed.through
        && snapshot.throughEvent == client.feed.events.last?.id ?? EventID()
        && Int(snapshot.requests) == model.list(of: player).count
        && Int(snapshot.friends) == list.count { $0.state == .friends }
        && Int(snapshot.invitations) == list.count { $0.state == .received },
      "2.8 \(player) has the snapshot \(snapshot), with \(model.list(of: player).count) requests, "
        + "\(list), events through \(client.feed.through)")
  }

  private func checkInbox(_ player: PlayerID, _ model: RequestModel) throws(Violation) {
    let shown = try inbox(of: player).map { "\($0)" }.sorted()
    let wanted = model.list(of: player).map { "\($0)" }.sorted()
    try require(shown == wanted, "2.7 \(player) lists the requests \(shown) instead of \(wanted)")
  }

  private func checkTokens(_ player: PlayerID, _ model: RequestModel) throws(Violation) {
    let shown = try reply(ListInviteTokens(), as: player).tokens
    let wanted = model.tokens.filter { $0.value.sender == player }
    try require(
      shown.count == wanted.count,
      "2.7 \(player) lists \(shown.count) tokens instead of \(wanted.count)")
    for info in shown {
      let token = wanted[info.token]
      try require(
        token?.shown == info.state && token?.requestCount == info.requestCount,
        "2.7 \(player) lists the token \(info), which is \(String(describing: token))")
      if case .claimed(let claimant)? = token?.state {
        try require(info.player == claimant, "2.7 \(info) was claimed by \(claimant)")
      }
    }
  }

  private var toldOfRequests: [String: Int] {
    var told: [String: Int] = [:]
    for client in workload.clients {
      func take<E: Event>(_ type: E.Type) {
        for event in heard(type, by: client) {
          told.tell(client.player, deployment.ledger.erasures.rest(of: event))
        }
      }
      take(RequestReceived.self)
      take(RequestAnswered.self)
      take(RequestExpired.self)
      take(RequestDelivered.self)
      take(RequestDropped.self)
      take(InviteTokenClaimed.self)
    }
    return told
  }

  /// Nothing is on its way that will not come, and nothing outlives its time.
  private func checkNothingDue(_ model: RequestModel, _ promises: SettingValues)
    throws(Violation)
  {
    try require(model.answers.isEmpty, "2.7 nobody was told of the answers \(model.answers)")
    for (copy, known) in model.copies {
      try require(known.underWay == 0, "2.7 \(copy) was sent, and is nowhere")
      try require(known.receipts == 0, "2.4 \(copy) has \(known.receipts) receipts untold")
      guard let listed = known.listed else { continue }
      let time = deployment.requestTime(of: RoutingKey(reinterpreting: copy.recipient))
      try require(
        time <= listed.upperBound + promises[.requestLifetime] + Self.timerMillisecondsMax,
        "2.7 \(copy) outlives its time")
    }
  }

  /// Longer than it takes until a timer that is due has done its work.
  private static let timerMillisecondsMax: Int64 = 60_000
}
