import Domain
import Operations
import RequestCore
import Wire

/// The simplest model of game requests and invite tokens: where each request is, and what its
/// sender and its recipients must have been told. It replays the calls and effects.
///
/// Whether there was room for a request it knows itself. Whether two are friends it does not: a
/// request may come back for that, if either has ever asked to end a friendship.
struct RequestModel {
  struct Copy: Hashable {
    var request: RequestID
    var recipient: PlayerID
  }

  struct Answer: Hashable {
    var copy: Copy
    var isAccepted: Bool

    init(request: RequestID, by recipient: PlayerID, _ isAccepted: Bool) {
      copy = Copy(request: request, recipient: recipient)
      self.isAccepted = isAccepted
    }
  }

  struct Sent {
    var request = ReceivedRequest()
    var wantsReceipts = false
    var recipients: Set<PlayerID> = []
  }

  /// One recipient's copies of a request: more than one come where it was sent to invite tokens as
  /// well.
  struct Copies {
    /// On their way to the list.
    var underWay = 0
    /// From when to when it may have come to the list, by the clock of its owner; nil while it is
    /// not there.
    var listed: ClosedRange<Int64>?
    /// Those that came since, when there was one on the list already.
    var needless = 0
    /// Receipts that the sender is still to be sent.
    var receipts = 0
    /// Whether there was room when the last one came, and whether there may have been, as what an
    /// erased player has sent was removed some time.
    var hadRoom = true
    var mayHaveHadRoom = true
  }

  private let lifetime: Int64
  private let tokenLifetime: Int64
  private let perGameMax: Int
  private let perSenderMax: Int
  private(set) var sent: [RequestID: Sent] = [:]
  private(set) var copies: [Copy: Copies] = [:]
  private(set) var tokens: [String: TokenModel] = [:]
  /// Whom each player blocks.
  private(set) var blocks: [PlayerID: Set<PlayerID>] = [:]
  /// Pairs in which either has ever ended a friendship, or blocked the other.
  private var parted: Set<Set<PlayerID>> = []
  /// Answers that are on their way to the senders.
  private(set) var answers: [Answer: Int] = [:]
  /// How often each player must have been told what.
  private(set) var told: [String: Int] = [:]
  /// How often more each player may have been told what: a block of an erased player stops it or
  /// does not.
  private(set) var toldMaybe: [String: Int] = [:]
  private let erasures: ErasureLog
  private let names: [PlayerID: String]
  private(set) var counts: [Happening: Int] = [:]

  /// - Parameter names: the players' display names.
  init(_ ledger: Ledger, _ promises: SettingValues, names: [PlayerID: String]) throws(Violation) {
    erasures = ledger.erasures
    self.names = names
    let steps = ledger.steps.map { [erasures] in $0.rest(erasures) }
    lifetime = promises[.requestLifetime]
    tokenLifetime = promises[.inviteTokenLifetime]
    perGameMax = Int(promises[.inboxMax])
    perSenderMax = min(Int(promises[.inboxPerSender]), max(1, perGameMax / 2))
    var held: [Ledger.Applied] = []
    for (index, step) in steps.enumerated() {
      switch step {
      case .call(let call): try take(call)
      case .effect(let effect): try arrived(effect)
      case .sent(let effect):
        guard effect.opcode == RequestConcluded.opcode else { continue }
        // What goes to another process stands before the row of what has caused it.
        if Self.isOwn(effect, before: steps.dropFirst(index + 1).first) {
          try left(effect)
        } else {
          held.append(effect)
        }
        continue
      }
      for effect in held { try left(effect) }
      held = []
    }
    for effect in held { try left(effect) }
    forgetErased()
  }

  /// What an erased player has sent is on nobody's list.
  private mutating func forgetErased() {
    for copy in copies.keys where isErased(senderOf: copy) { copies[copy]?.listed = nil }
  }

  private func isErased(senderOf copy: Copy) -> Bool {
    sent[copy.request].map { erasures.isErased($0.request.sender) } ?? false
  }

  private func concernsErased(_ copy: Copy) -> Bool {
    erasures.isErased(copy.recipient) || isErased(senderOf: copy)
  }

  private mutating func tell<E: Event>(_ player: PlayerID, _ event: E) {
    if erasures.isErased(player) { return }
    told.tell(player, erasures.rest(of: event))
  }

  /// Whether an effect was applied by the process that asked for it, and so in the same command.
  private static func isOwn(_ effect: Ledger.Applied, before next: Ledger.Step?) -> Bool {
    guard case .effect(let applied)? = next else { return false }
    return applied.opcode == effect.opcode && applied.body == effect.body
  }

  /// What is on a player's list and may be seen.
  func list(of player: PlayerID) -> [ReceivedRequest] {
    copies.filter { $0.key.recipient == player && $0.value.listed != nil }
      .compactMap { sent[$0.key.request]?.request }
      .filter { !isBlocked($0.sender, by: player) }
  }

  private func isBlocked(_ other: PlayerID, by player: PlayerID) -> Bool {
    blocks[player]?.contains(other) == true
  }

  private mutating func count(_ happening: Happening, _ change: Int = 1) {
    counts[happening, default: 0] += change
  }

  // MARK: Calls

  private mutating func take(_ call: Ledger.Done) throws(Violation) {
    if let (block, _) = call.decoded(BlockPlayer.self) {
      blocks[call.player, default: []].insert(block.player)
      parted.insert([call.player, block.player])
    } else if let (unblock, _) = call.decoded(UnblockPlayer.self) {
      blocks[call.player]?.remove(unblock.player)
    } else if let (remove, _) = call.decoded(RemoveFriend.self) {
      parted.insert([call.player, remove.player])
    } else if let (answer, _) = call.decoded(AnswerFriend.self), !answer.accept {
      parted.insert([call.player, answer.player])
    } else if let (send, reply) = call.decoded(SendRequest.self) {
      try took(send, reply, call)
    } else if let (answer, _) = call.decoded(AnswerRequest.self) {
      try end(answer.request, by: call.player)
      count(answer.accept ? .requestsAccepted : .requestsDeclined)
      answers[Answer(request: answer.request, by: call.player, answer.accept), default: 0] += 1
    } else if let (delete, _) = call.decoded(DeleteRequest.self) {
      try end(delete.request, by: call.player)
      count(.requestsDeleted)
    } else {
      try takeOfTokens(call)
    }
  }

  private mutating func took(_ send: SendRequest, _ reply: SendRequest.Reply, _ call: Ledger.Done)
    throws(Violation)
  {
    var one = Sent()
    one.request.request = reply.request
    // As somebody who is erased has sent it, of whose words nothing is left.
    one.request.sender = erasures.origin(call.player)
    one.request.senderName = names[one.request.sender] ?? ""
    (one.request.message, one.request.data) = (send.message, send.data)
    (one.request.actionType, one.request.objectID) = (send.actionType, send.objectID)
    (one.request.title, one.request.cta) = (send.title, send.cta)
    one.request.sent = call.time
    one.wantsReceipts = send.wantsReceipts
    for outcome in reply.recipients {
      let isQueued = outcome.outcome == .queued
      if let player = PlayerID(outcome.recipient) {
        one.recipients.insert(player)
        guard isQueued else { continue }
        copies[Copy(request: reply.request, recipient: player), default: Copies()].underWay += 1
      } else if isQueued {
        try tokens[outcome.recipient]?.wait(reply.request, sender: call.player, now: call.time)
        count(.requestsToTokens)
      }
    }
    one.request = erasures.rest(of: one.request)
    sent[reply.request] = one
  }

  /// Takes a request off a list on which it must be.
  private mutating func end(_ request: RequestID, by player: PlayerID) throws(Violation) {
    let copy = Copy(request: request, recipient: player)
    guard copies[copy]?.listed != nil, let sender = sent[request]?.request.sender else {
      throw Violation(description: "2.7 \(player) has ended \(request), which it has not got")
    }
    if isBlocked(sender, by: player), !erasures.isErased(sender) {
      throw Violation(
        description: "2.9 \(player) has ended \(request) of \(sender), whom it blocks")
    }
    try checkRoom(copy)
    copies[copy]?.listed = nil
  }

  private func checkRoom(_ copy: Copy) throws(Violation) {
    if copies[copy]?.mayHaveHadRoom == true { return }
    throw Violation(description: "2.10 \(copy.recipient) took \(copy.request) without room for it")
  }

  /// Everything has come to its end: what is on a list has room there.
  func checkRoom() throws(Violation) {
    for (copy, known) in copies where known.listed != nil { try checkRoom(copy) }
  }

  // MARK: Tokens

  private mutating func takeOfTokens(_ call: Ledger.Done) throws(Violation) {
    if let (_, reply) = call.decoded(CreateInviteTokens.self) {
      for info in reply.tokens {
        tokens[info.token] = TokenModel(sender: call.player, expires: call.time + tokenLifetime)
      }
    } else if let (revoke, _) = call.decoded(RevokeInviteToken.self) {
      let waiting = try tokens[revoke.token]?.revoke(by: call.player, now: call.time) ?? []
      drop(waiting, of: revoke.token)
      count(.tokensRevoked)
    } else if let (claim, _) = call.decoded(ClaimInviteToken.self) {
      let text = InviteToken(sender: claim.sender, id: claim.token).description
      guard tokens[text] != nil else {
        throw Violation(description: "token \(text) was claimed, which nobody has made")
      }
      if isBlocked(call.player, by: claim.sender) {
        throw Violation(description: "2.9 \(call.player) claimed a token of a blocker")
      }
      guard let waiting = try tokens[text]?.claim(by: call.player, now: call.time) else { return }
      count(.tokensClaimed)
      var event = InviteTokenClaimed()
      (event.token, event.player) = (text, call.player)
      tell(claim.sender, event)
      for request in waiting {
        copies[Copy(request: request, recipient: call.player), default: Copies()].underWay += 1
        sent[request]?.recipients.insert(call.player)
      }
    }
  }

  private mutating func drop(_ waiting: [RequestID], of token: String) {
    for request in waiting {
      var event = RequestDropped()
      (event.request, event.outcome, event.token) = (request, .expiredToken, token)
      tell(tokens[token]?.sender ?? PlayerID(), event)
      count(.requestsDroppedOfTokens)
    }
  }

  /// Ends the tokens whose time is over.
  ///
  /// - Parameter time: by the clock of a sender.
  mutating func expireTokens(at time: (PlayerID) -> Int64) {
    for (text, token) in tokens where token.expires <= time(token.sender) {
      guard let waiting = tokens[text]?.expire() else { continue }
      count(.tokensExpired)
      drop(waiting, of: text)
    }
  }

  // MARK: Effects

  private mutating func arrived(_ effect: Ledger.Applied) throws(Violation) {
    if effect.opcode == DeliverRequest.opcode,
      let deliver = try? DeliverRequest(decoding: effect.body)
    {
      try arrived(deliver, effect)
    } else if effect.opcode == RequestConcluded.opcode,
      let news = try? RequestConcluded(decoding: effect.body)
    {
      hear(news)
    }
  }

  private mutating func arrived(_ deliver: DeliverRequest, _ effect: Ledger.Applied)
    throws(Violation)
  {
    let copy = Copy(request: deliver.request.request, recipient: deliver.player)
    guard let known = copies[copy], known.underWay > 0,
      let sender = sent[copy.request]?.request.sender
    else {
      throw Violation(
        description: "2.7 request \(copy.request) came to \(copy.recipient) from nowhere")
    }
    copies[copy]?.underWay -= 1
    if known.listed != nil {
      copies[copy]?.needless += 1
      return
    }
    let mayHaveHadRoom = hasRoom(for: sender, on: copy.recipient) { !isErased(senderOf: $0) }
    let hadRoom = hasRoom(for: sender, on: copy.recipient) { _ in true }
    copies[copy]?.hadRoom = hadRoom
    copies[copy]?.mayHaveHadRoom = mayHaveHadRoom
    copies[copy]?.listed = effect.earliest...effect.latest
    copies[copy]?.needless = 0
    listed(copy, 1)
  }

  /// Counts all open requests of a recipient anew.
  ///
  /// - Parameter counts: whether a copy that is on the list counts.
  private func hasRoom(
    for sender: PlayerID, on recipient: PlayerID, _ counts: (Copy) -> Bool
  ) -> Bool {
    let open = copies.filter {
      $0.key.recipient == recipient && $0.value.listed != nil && counts($0.key)
    }
    let own = open.keys.count { sent[$0.request]?.request.sender == sender }
    return open.count < perGameMax && own < perSenderMax
  }

  private mutating func listed(_ copy: Copy, _ change: Int) {
    guard let one = sent[copy.request] else { return }
    if one.wantsReceipts { copies[copy]?.receipts += change }
    if erasures.isErased(copy.recipient) { return }
    var event = RequestReceived()
    event.request = one.request
    event = erasures.rest(of: event)
    told["\(copy.recipient) was told \(event)", default: 0] += change
  }

  /// News of a copy have left its recipient.
  private mutating func left(_ effect: Ledger.Applied) throws(Violation) {
    guard let news = try? RequestConcluded(decoding: effect.body) else { return }
    let copy = Copy(request: news.request, recipient: news.recipient)
    guard let known = copies[copy], let one = sent[copy.request] else {
      throw Violation(description: "2.7 \(news.recipient) ends \(news.request), which it never got")
    }
    switch news.conclusion {
    case .expired:
      guard let listed = known.listed,
        erasures.isErased(copy.recipient) || effect.latest >= listed.lowerBound + lifetime
      else {
        throw Violation(description: "2.7 \(copy.request) expired at \(copy.recipient) too early")
      }
      copies[copy]?.listed = nil
      count(.requestsExpired)
    case .notReachable:
      guard parted.contains([one.request.sender, copy.recipient]) || concernsErased(copy) else {
        throw Violation(
          description: "2.4 \(copy.request) was dropped by \(copy.recipient) without a reason")
      }
      dropped(copy)
      count(.requestsDroppedUnreachable)
    case .limitReached:
      guard !known.hadRoom else {
        throw Violation(
          description: "2.4 \(copy.request) was dropped by \(copy.recipient), who had room")
      }
      copies[copy]?.hadRoom = true
      copies[copy]?.mayHaveHadRoom = true
      dropped(copy)
      count(.requestsDroppedFull)
    case .accepted, .declined:
      let answer = Answer(
        request: copy.request, by: copy.recipient, news.conclusion == .accepted)
      guard let open = answers[answer], open > 0 else {
        throw Violation(description: "2.7 nobody gave the answer that \(news) tells")
      }
      answers[answer] = open == 1 ? nil : open - 1
    case .delivered:
      guard known.receipts > 0 else {
        throw Violation(description: "2.4 nobody asked for the receipt that \(news) is")
      }
      copies[copy]?.receipts -= 1
    default: throw Violation(description: "2.4 \(news) ends no request")
    }
  }

  /// The copy that came last was not put on the list.
  private mutating func dropped(_ copy: Copy) {
    if copies[copy]?.needless ?? 0 > 0 {
      copies[copy]?.needless -= 1
    } else {
      copies[copy]?.listed = nil
      listed(copy, -1)
    }
  }

  /// A sender's key hears how a copy has ended.
  private mutating func hear(_ news: RequestConcluded) {
    let isStopped = isBlocked(news.recipient, by: news.player)
    let isMaybe = isStopped && erasures.isErased(news.recipient)
    switch news.conclusion {
    case .accepted, .declined:
      var event = RequestAnswered()
      (event.request, event.recipient) = (news.request, news.recipient)
      event.accepted = news.conclusion == .accepted
      if isMaybe { return toldMaybe.tell(news.player, event) }
      if isStopped { return count(.answersStoppedByBlocks) }
      tell(news.player, event)
    case .expired:
      var event = RequestExpired()
      (event.request, event.recipient) = (news.request, news.recipient)
      tell(news.player, event)
    case .delivered:
      var event = RequestDelivered()
      (event.request, event.recipient) = (news.request, news.recipient)
      if isMaybe { return toldMaybe.tell(news.player, event) }
      if isStopped { return }
      tell(news.player, event)
      count(.requestReceipts)
    default:
      var event = RequestDropped()
      (event.request, event.recipient) = (news.request, news.recipient)
      event.outcome = news.conclusion == .notReachable ? .notReachable : .limitReached
      tell(news.player, event)
    }
  }
}
