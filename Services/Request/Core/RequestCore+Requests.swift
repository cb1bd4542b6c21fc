import Domain
import Operations
import Wire

extension NumberSetting {
  static let refuseLongTexts = NumberSetting(
    "refuse-long-texts", .count, default: 0, 0...1,
    "1 refuses a request whose message or title is longer than is shown whole; 0 warns its sender.")
  /// At least one request to the most recipients.
  static let sendBurst = NumberSetting(
    "request-send-burst", .count, default: 200, RequestLimits.recipientsMax...1_000_000,
    "Requests that one player may send in a row, one for each recipient.")
  static let sendRefill = NumberSetting(
    "request-send-refill-seconds", .seconds, default: 10, 1...86_400,
    "How long after a burst of requests its sender may send one more.")
  static let receiveBurst = NumberSetting(
    "request-receive-burst", .count, default: 200, 1...1_000_000,
    "Requests that one player may get in one game in a row, from all senders.")
  static let receiveRefill = NumberSetting(
    "request-receive-refill-seconds", .seconds, default: 10, 1...86_400,
    "How long after a burst of requests its recipient may get one more in that game.")
  static let receivePerSenderBurst = NumberSetting(
    "request-receive-per-sender-burst", .count, default: 100, 1...1_000_000,
    "Requests that one player may get of one sender in one game in a row.")
  static let receivePerSenderRefill = NumberSetting(
    "request-receive-per-sender-refill-seconds", .seconds, default: 20, 1...86_400,
    "How long after a burst of one sender's requests their recipient may get one more of it in "
      + "that game.")
}

extension RequestCore {
  func sendRequest(_ operation: SendRequest, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> SendRequest.Reply
  {
    let sender = try caller(call)
    if let failure = RequestContentRules.failure(in: operation) { throw .refused(failure) }
    let longTexts = RequestContentRules.longTexts(in: operation)
    if settings[.refuseLongTexts] == 1, let failure = longTexts.first { throw .refused(failure) }
    var seen = Set<String>(minimumCapacity: operation.recipients.count)
    let recipients = operation.recipients.filter { seen.insert($0).inserted }
    let count = recipients.count
    let now = transaction.now
    if let wait = budgets.wait(.sentRequests, for: count, of: sender.key, now: now) {
      throw .rateLimited("You have sent many requests.", wait)
    }
    // Nobody is asked about what is over budget.
    if operation.isFrictionless { try checkConsents(of: recipients, to: sender.key, call) }
    _ = budgets.take(.sentRequests, count: count, of: sender.key, &transaction)
    var reply = SendRequest.Reply()
    reply.request = transaction.identifier()
    reply.warnings = longTexts.map(\.text)
    let request = ReceivedRequest(operation, reply.request, from: sender, sent: transaction.now)
    for recipient in recipients {
      var outcome = RecipientOutcome()
      outcome.recipient = recipient
      outcome.outcome = send(
        request, to: recipient, wantsReceipt: operation.wantsReceipts, call, &transaction)
      reply.recipients.append(outcome)
    }
    return reply
  }

  /// Sends one recipient's copy on its way.
  private func send(
    _ request: ReceivedRequest, to recipient: String, wantsReceipt: Bool, _ call: Call,
    _ transaction: inout Transaction
  ) -> DeliveryOutcome {
    guard let player = PlayerID(recipient) else {
      return send(request, toToken: recipient, wantsReceipt: wantsReceipt, call, &transaction)
    }
    guard edges.state(request.sender, player) == .friends else { return .notReachable }
    var delivery = DeliverRequest()
    delivery.player = player
    delivery.request = request
    delivery.wantsReceipt = wantsReceipt
    transaction.effect(delivery, on: player, game: call.game)
    return .queued
  }

  func deliverRequest(_ operation: DeliverRequest, _ call: Call, _ transaction: inout Transaction) {
    let (player, request) = (operation.player, operation.request)
    func drop(_ conclusion: RequestConclusion, retryAfterMilliseconds: UInt32 = 0) {
      conclude(
        request.request, of: request.sender, by: player, conclusion,
        retryAfterMilliseconds: retryAfterMilliseconds, game: call.game, &transaction)
    }
    // The sender saw a friend, or an invite token that the player has claimed; here is the other
    // edge, and it may have changed since.
    let state = edges.state(player, request.sender)
    let isErased = call.standIns.contains(request.sender)
    guard players[player] != nil, !isErased,
      state == .friends || operation.isInvited && state != .blocked
    else { return drop(.notReachable) }
    // A friend may claim an invite token, and one player several.
    if requests.contains(player, request.request) { return }
    let isForeignGame = isForeign(call.game, to: player)
    let isFull = requests.isFull(
      player, for: request.sender, in: call.game, isForeignGame: isForeignGame,
      isForeign: { isForeign($0, to: player) })
    if isFull { return drop(.limitReached) }
    // A budget for each of any number of games would be none.
    let budget = isForeignGame ? "" : call.game
    if let wait = takeReceived(player, from: request.sender, game: budget, &transaction) {
      return drop(.rateLimited, retryAfterMilliseconds: wait)
    }
    requests.put(
      ReceivedRequestRow(request, for: player, game: call.game, received: transaction.now),
      &transaction)
    var event = RequestReceived()
    event.request = request
    append(event, to: player, from: request.sender, game: call.game, &transaction)
    if operation.wantsReceipt {
      conclude(
        request.request, of: request.sender, by: player, .delivered, game: call.game, &transaction)
    }
  }

  /// Takes a request from what a recipient may get in a game, of its sender and of all; or takes
  /// nothing and returns the milliseconds to wait.
  ///
  /// - Parameter game: empty for all games together that the player has never signed in to.
  private func takeReceived(
    _ player: PlayerID, from sender: PlayerID, game: String, _ transaction: inout Transaction
  ) -> UInt32? {
    let share = ReceivedBudgetKey(player: player, sender: sender, game: game)
    let rates = receivedRates
    if let wait = receivedBudgets.wait(of: share, at: rates.ofSender, now: transaction.now) {
      return wait
    }
    let all = ReceivedBudgetKey(player: player, game: game)
    if let wait = receivedBudgets.take(of: all, at: rates.ofAll, &transaction) { return wait }
    return receivedBudgets.take(of: share, at: rates.ofSender, &transaction)
  }

  func inbox(_ operation: Inbox, _ call: Call, _ transaction: inout Transaction) throws(Stop)
    -> Inbox.Reply
  {
    let list = PagedList(operation, call)
    let page = requests.page(
      of: call.player, game: call.game, after: try list.end(ofPage: operation.cursor),
      limit: Int(operation.limit), now: transaction.now,
      isHidden: { [self] in edges.state(call.player, $0) == .blocked })
    var reply = Inbox.Reply()
    reply.requests = page.rows.map(\.request)
    if page.hasMore, let last = page.rows.last { reply.cursor = list.text(last.place) }
    return reply
  }

  func answerRequest(_ operation: AnswerRequest, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let row = try openRequest(operation.request, call, transaction)
    requests.remove(row, &transaction)
    conclude(
      row.key.request, of: row.sender, by: call.player, operation.accept ? .accepted : .declined,
      game: row.game, &transaction)
  }

  func deleteRequest(_ operation: DeleteRequest, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    requests.remove(try openRequest(operation.request, call, transaction), &transaction)
  }

  private func openRequest(_ request: RequestID, _ call: Call, _ transaction: Transaction)
    throws(Stop) -> ReceivedRequestRow
  {
    guard let row = requests.row(call.player, request, now: transaction.now),
      row.game == call.game, edges.state(call.player, row.sender) != .blocked
    else { throw .notFound("request", "There is no such request on your list.") }
    return row
  }

  /// Tells the sender what became of one recipient's copy.
  func conclude(
    _ request: RequestID, of sender: PlayerID, by recipient: PlayerID,
    _ conclusion: RequestConclusion, retryAfterMilliseconds: UInt32 = 0, game: String,
    _ transaction: inout Transaction
  ) {
    var news = RequestConcluded()
    news.player = sender
    news.request = request
    news.recipient = recipient
    news.conclusion = conclusion
    news.retryAfterMilliseconds = retryAfterMilliseconds
    transaction.effect(news, on: sender, game: game)
  }

  func expireRequests(_ operation: ExpireRequests, _ call: Call, _ transaction: inout Transaction) {
    let expired = requests.takeExpired(
      of: PlayerID(reinterpreting: call.key), countMax: Self.expiredPerStep, &transaction)
    for row in expired {
      conclude(
        row.key.request, of: row.sender, by: row.key.player, .expired, game: row.game,
        &transaction)
    }
  }
}
