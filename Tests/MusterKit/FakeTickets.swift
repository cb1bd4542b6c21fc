import MusterKit

/// The tickets of matchmaking at the fake gateway.
struct FakeTickets {
  static let context = ContextID(high: 4, low: 3)

  private(set) var info = TicketInfo()
  /// How the ticket ends, and how often it is looked at before.
  var end = TicketState.matched
  var looksBefore = 1
  /// Whether the server knows nothing of the ticket that it has given.
  var isLost = false
  /// How the ticket has ended when it is cancelled.
  var endOnCancel = TicketState.cancelled
  /// Calls to join that come before the context is open.
  var earlyJoins = 0
  private(set) var cancelCount = 0
  /// What counts as the answer to each invitation; who is not named here has none.
  var inviteAnswers: [MatchInviteID: MatchInviteAnswer] = [:]
  private(set) var answered: [AnswerMatchInvite] = []
  /// Yields for each ticket that is asked for, each look at it, and each join that comes early.
  let found = AsyncStream.makeStream(of: Void.self)
  let looked = AsyncStream.makeStream(of: Void.self)
  let joinedEarly = AsyncStream.makeStream(of: Void.self)
  private(set) var contextsLeft: [ContextID] = []

  mutating func find(_ operation: FindMatch) -> Result<FindMatch.Reply, Failure> {
    info.ticket = MatchTicketID(high: 3, low: 3)
    info.playerGroup = operation.playerGroup
    var reply = FindMatch.Reply()
    reply.ticket = info.ticket
    found.continuation.yield()
    return .success(reply)
  }

  mutating func list(_ session: FakeSession) -> Result<ListTickets.Reply, Failure> {
    if looksBefore == 0 && !isLost {
      settle(end)
    } else {
      if !isLost { looksBefore -= 1 }
      var hint = TicketChanged()
      (hint.ticket, hint.state) = (info.ticket, end)
      var event = HintEvent()
      (event.kind, event.body) = (TicketChanged.opcode.rawValue, Bytes(hint.encoded))
      session.push(event)
    }
    looked.continuation.yield()
    var reply = ListTickets.Reply()
    reply.tickets = isLost ? [] : [info]
    return .success(reply)
  }

  mutating func cancel(_ operation: CancelTicket) -> Result<CancelTicket.Reply, Failure> {
    cancelCount += 1
    guard !isLost, operation.ticket == info.ticket, operation.playerGroup == info.playerGroup else {
      return .failure(Failure(.notFound, argument: "ticket", "No such ticket."))
    }
    settle(endOnCancel)
    var reply = CancelTicket.Reply()
    (reply.state, reply.context) = (info.state, info.context)
    return .success(reply)
  }

  mutating func answer(_ operation: AnswerMatchInvite)
    -> Result<AnswerMatchInvite.Reply, Failure>
  {
    answered.append(operation)
    guard let answer = inviteAnswers[operation.invite] else {
      return .failure(Failure(.notFound, argument: "invite", "No such invitation."))
    }
    var reply = AnswerMatchInvite.Reply()
    reply.answer = answer
    return .success(reply)
  }

  mutating func isEarly() -> Bool {
    if earlyJoins == 0 { return false }
    earlyJoins -= 1
    joinedEarly.continuation.yield()
    return true
  }

  mutating func leave(_ operation: LeaveContext) -> Result<Empty, Failure> {
    contextsLeft.append(operation.context)
    return .success(Empty())
  }

  private mutating func settle(_ state: TicketState) {
    info.state = state
    info.context = state == .matched ? Self.context : nil
    info.hindrance = .number
  }
}
