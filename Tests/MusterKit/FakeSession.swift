import MusterKit
import Transport

/// One client's connection at the fake gateway.
final class FakeSession: ConnectionDelegate {
  unowned let gateway: FakeGateway
  let connection: Connection
  var player: PlayerID?
  var instance: UInt64 = 0
  /// Whether new events are pushed: the client has all before them.
  var isLive = false

  init(_ gateway: FakeGateway, _ connection: Connection) {
    self.gateway = gateway
    self.connection = connection
  }

  func connectionReady(_ connection: Connection) {}

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    gateway.sessions.removeAll { $0 === self }
    gateway.match.lost(self)
    gateway.onLeft?()
  }

  func push<E: Event>(_ event: E) {
    connection.send(
      FrameHeader(kind: .event, opcode: E.opcode.rawValue, correlation: 0), body: event.encoded)
  }

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    guard header.kind == .request,
      let (envelope, operation) = try? Enveloped.split(ClientEnvelope.self, body)
    else { return }
    if gateway.refuses(header) {
      fail(header, Failure(.backpressure, "no room", retryAfterMilliseconds: 500))
      gateway.onRefused?()
      return
    }
    switch gateway.fault() {
    case .dropBefore: connection.finish(.local("fault"))
    case .dropAfter:
      _ = answer(header, envelope, operation)
      // Answers that were not sent yet are lost with it.
      connection.close(.local("fault"))
    case .unavailableBefore: fail(header, Failure(.unavailable, "fault"))
    case .unavailableAfter:
      // A greeting that has worked is never answered so.
      let result = answer(header, envelope, operation)
      let isGreeting = header.opcode >> 8 == Service.gateway.rawValue
      reply(header, isGreeting ? result : .failure(Failure(.unavailable, "fault")))
    case .rateLimited:
      fail(header, Failure(.rateLimited, "fault", retryAfterMilliseconds: 2))
    case nil:
      let result = answer(header, envelope, operation)
      if !gateway.isSilent { reply(header, result) }
    }
  }

  private func reply(_ header: FrameHeader, _ result: Result<[UInt8], Failure>) {
    switch result {
    case .success(let body):
      connection.send(
        FrameHeader(
          kind: .reply, opcode: header.opcode, correlation: header.correlation), body: body)
    case .failure(let failure): fail(header, failure)
    }
  }

  private func fail(_ header: FrameHeader, _ failure: Failure) {
    connection.send(
      FrameHeader(kind: .error, opcode: header.opcode, correlation: header.correlation),
      body: failure.encoded)
  }

  private func answer(_ header: FrameHeader, _ envelope: ClientEnvelope, _ body: [UInt8])
    -> Result<[UInt8], Failure>
  {
    switch Opcode(rawValue: header.opcode) {
    case Echo.opcode: .success(body)
    case SignUp.opcode: run(SignUp.self, body) { signUp($0) }
    case SignIn.opcode: run(SignIn.self, body) { signIn($0) }
    case Resume.opcode: run(Resume.self, body) { gateway.resume($0, self) }
    case _ where player == nil: .failure(Failure(.notAuthenticated, "Sign in first."))
    case SignOut.opcode:
      run(SignOut.self, body) { _ in
        player = nil
        return .success(Empty())
      }
    case Add.opcode:
      run(Add.self, body) {
        gateway.add($0.amount, envelope.idempotency, instance: instance)
      }
    case ReadEvents.opcode: run(ReadEvents.self, body) { gateway.read($0, self) }
    case Acknowledge.opcode:
      run(Acknowledge.self, body) { gateway.acknowledge($0.through) }
    case SwitchContext.opcode: run(SwitchContext.self, body) { context($0.context) }
    case CurrentContext.opcode:
      run(CurrentContext.self, body) { _ in
        var reply = CurrentContext.Reply()
        reply.context = gateway.currentContext
        return .success(reply)
      }
    case CreateGroupContext.opcode: run(CreateGroupContext.self, body) { group($0.players) }
    case JoinContext.opcode: run(JoinContext.self, body) { join($0.context) }
    case CloseContext.opcode: run(CloseContext.self, body) { _ in .success(Empty()) }
    // Meanwhile the other has left.
    case GetContext.opcode: run(GetContext.self, body) { context($0.context, size: 1) }
    case LeaveContext.opcode: run(LeaveContext.self, body) { gateway.tickets.leave($0) }
    case CheckAchievementChallenge.opcode:
      run(CheckAchievementChallenge.self, body) { challengeable($0.receiver) }
    case ListFriends.opcode: run(ListFriends.self, body) { gateway.profiles.list($0) }
    case PutPhotoPiece.opcode: run(PutPhotoPiece.self, body) { gateway.profiles.put($0) }
    case ListConsents.opcode: run(ListConsents.self, body) { consents($0) }
    case SendRequest.opcode: run(SendRequest.self, body) { send($0) }
    case SelectRecipients.opcode: run(SelectRecipients.self, body) { .success(select($0)) }
    case ClaimInviteToken.opcode: run(ClaimInviteToken.self, body) { claim($0) }
    case FindMatch.opcode: run(FindMatch.self, body) { gateway.tickets.find($0) }
    case ListTickets.opcode: run(ListTickets.self, body) { _ in gateway.tickets.list(self) }
    case CancelTicket.opcode: run(CancelTicket.self, body) { gateway.tickets.cancel($0) }
    case AnswerMatchInvite.opcode:
      run(AnswerMatchInvite.self, body) { gateway.tickets.answer($0) }
    case JoinMatch.opcode where gateway.tickets.isEarly():
      .failure(Failure(.notFound, argument: "context", "Not open yet."))
    case JoinMatch.opcode: run(JoinMatch.self, body) { gateway.match.join($0, self) }
    case SendMatchData.opcode: run(SendMatchData.self, body) { gateway.match.send($0, self) }
    case AcknowledgeMatchData.opcode:
      run(AcknowledgeMatchData.self, body) { gateway.match.acknowledge($0, self) }
    case BlockPlayer.opcode: run(BlockPlayer.self, body) { _ in .success(Empty()) }
    case RemoveFriend.opcode: run(RemoveFriend.self, body) { _ in .success(Empty()) }
    case LeaveMatch.opcode: run(LeaveMatch.self, body) { _ in gateway.match.leave(self) }
    default: .failure(Failure(.unknownOperation, "not faked"))
    }
  }

  private func run<O: Operation>(
    _ type: O.Type, _ body: [UInt8], _ handle: (O) -> Result<O.Reply, Failure>
  ) -> Result<[UInt8], Failure> {
    guard let operation = try? O(decoding: body) else {
      return .failure(Failure(.malformed, "cannot be read"))
    }
    return handle(operation).map(\.encoded)
  }

  private func signUp(_ operation: SignUp) -> Result<SignUp.Reply, Failure> {
    var reply = SignUp.Reply()
    reply.player = PlayerID(reinterpreting: operation.attempt)
    reply.device = DeviceID(reinterpreting: operation.attempt)
    reply.secret = Bytes(gateway.credential.secret)
    return .success(reply)
  }

  private func signIn(_ operation: SignIn) -> Result<SessionStarted, Failure> {
    if player != nil { return .failure(Failure(.alreadyExists, "There is a session.")) }
    guard operation.secret.array == gateway.credential.secret else {
      return .failure(Failure(.invalidCredential, "The credential is wrong."))
    }
    return gateway.open(
      operation.player, cursor: operation.cursor, operation.cursorEvent, instance: nil, self)
  }

  /// Of every three players one can be challenged, one cannot, and of one nothing is known.
  private func challengeable(_ player: PlayerID)
    -> Result<CheckAchievementChallenge.Reply, Failure>
  {
    var reply = CheckAchievementChallenge.Reply()
    switch player.low % 3 {
    case 0: return .failure(Failure(.notFound, argument: "achievement", "Not known there."))
    case 1: return .success(reply)
    default:
      reply.refusal = .alreadyEarned
      return .success(reply)
    }
  }

  private func group(_ others: [PlayerID]) -> Result<CreateGroupContext.Reply, Failure> {
    var reply = CreateGroupContext.Reply()
    reply.info.context = ContextID(high: 2, low: 1)
    (reply.info.form, reply.info.generation) = (.group, 1)
    reply.info.players =
      [ContextPlayer(player: player ?? PlayerID(), role: .owner, state: .active)]
      + others.map { ContextPlayer(player: $0, role: .participant, state: .invited) }
    reply.info.size = UInt32(reply.info.players.count)
    return .success(reply)
  }

  /// One in each page.
  private func consents(_ operation: ListConsents) -> Result<ListConsents.Reply, Failure> {
    gateway.consentReads += 1
    guard let all = gateway.consents else { return .failure(Failure(.notAllowed, "fault")) }
    var reply = ListConsents.Reply()
    let start = Int(operation.cursor) ?? 0
    for player in all.dropFirst(start).prefix(1) {
      var consent = Consent()
      (consent.player, consent.isHeld) = (player, true)
      reply.consents.append(consent)
    }
    if start + 1 < all.count { reply.cursor = "\(start + 1)" }
    return .success(reply)
  }

  private func send(_ operation: SendRequest) -> Result<SendRequest.Reply, Failure> {
    let agreed = Set((gateway.consents ?? []).map(\.description))
    if operation.isFrictionless, !agreed.isSuperset(of: operation.recipients) {
      return .failure(Failure(.conflict, argument: "recipients", "Not all have agreed."))
    }
    var reply = SendRequest.Reply()
    reply.request = RequestID(high: 1, low: operation.isFrictionless ? 2 : 1)
    return .success(reply)
  }

  /// Ten friends, of whom every page has one and every second page none.
  private func select(_ operation: SelectRecipients) -> SelectRecipients.Reply {
    var reply = SelectRecipients.Reply()
    let start = Int(operation.cursor) ?? 0
    if start % 2 == 1 {
      var choice = RecipientChoice()
      choice.profile.player = PlayerID(high: 1, low: UInt64(start))
      reply.recipients.append(choice)
    }
    if start < 19 { reply.cursor = "\(start + 1)" }
    return reply
  }

  private func claim(_ operation: ClaimInviteToken) -> Result<ClaimInviteToken.Reply, Failure> {
    gateway.claimCount += 1
    gateway.onClaim?()
    if gateway.claimed.contains(operation.token) {
      return .failure(Failure(.alreadyExists, argument: "token", "Used."))
    }
    gateway.claimed.append(operation.token)
    var reply = ClaimInviteToken.Reply()
    reply.requestCount = 3
    return .success(reply)
  }

  /// Contexts of an odd number are entered at once; the others let in whoever asks, later.
  private func join(_ context: ContextID) -> Result<ContextInfo, Failure> {
    var info = ContextInfo()
    (info.context, info.form) = (context, .group)
    info.players = [
      ContextPlayer(
        player: player ?? PlayerID(), role: .participant,
        state: context.low % 2 == 1 ? .active : .requested)
    ]
    return .success(info)
  }

  private func context(_ context: ContextID, size: UInt32 = 2) -> Result<ContextInfo, Failure> {
    if context.low == 404 || context == gateway.leftContext {
      return .failure(Failure(.notFound, "There is no such context."))
    }
    var info = ContextInfo()
    info.context = context
    info.size = size
    info.wasCurrent = context == gateway.currentContext && size == 2
    return .success(info)
  }
}
