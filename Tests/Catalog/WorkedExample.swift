import Operations
import Wire

/// A frame of the page, made by the real encoder: as text with a note for each field, and for
/// programs as bytes and values.
struct WorkedExample {
  var title: String
  var header: FrameHeader
  var envelope: ClientEnvelope?
  /// What the frame's body ends with; nil for a ping.
  var message: (any Message)?
  /// The event that a `StreamEvent` carries in its `body`.
  var inner: (any Event)?

  private var annotated: AnnotatedBytes {
    AnnotatedBytes(
      header, message ?? Empty(), envelope: envelope,
      opened: inner.map { ["body": $0] } ?? [:])
  }

  /// The page's section.
  static var text: String {
    "## Examples in bytes\n"
      + all.map { "\n\($0.title)\n\n```\n\($0.annotated.text)\n```\n" }.joined()
  }

  /// For programs: what the bytes say.
  static var trees: Tree { .list(all.map(\.tree)) }

  private var tree: Tree {
    var members: [(String, Tree)] = [
      ("title", .text(title)), ("kind", .text("\(header.kind)")),
      ("opcode", .integer(Int64(header.opcode))),
      ("correlation", .integer(Int64(header.correlation))),
    ]
    if let envelope { members.append(("envelope", envelope.tree)) }
    if let message { members.append(("value", message.tree)) }
    if let inner { members.append(("inner", inner.tree)) }
    let bytes = annotated.pieces.flatMap(\.bytes)
    return .record(members + [("hex", .text(Hex.text(of: bytes)))])
  }

  // MARK: The examples

  private static var all: [WorkedExample] {
    [
      request(echo, 7, "`Echo` of the two bytes `hi`, correlation 7, with two seconds of time:") {
        $0.deadlineMilliseconds = 2000
      },
      answer(.reply, Echo.opcode, 7, echoed, "The reply:"),
      answer(
        .error, Echo.opcode, 7,
        Failure(.rateLimited, "Slow down.", retryAfterMilliseconds: 500),
        "Instead, had the client made too many calls:"),
      request(signIn, 8, "`SignIn` of a device that comes back, with the place of its last event:"),
      answer(.reply, SignIn.opcode, 8, started, "Its reply:"),
      request(
        setProfile, 9, "`SetProfile` with a key. The calls 5 and 6 are not answered yet:"
      ) { $0.idempotency = IdempotencyKey(instance: 0, counter: 7, floor: 5) },
      request(
        setProfile, 10,
        "The same call again, after a lost connection. Meanwhile 5 and 6 were answered:"
      ) { $0.idempotency = IdempotencyKey(instance: 0, counter: 7, floor: 7) },
      WorkedExample(
        title: "An invitation comes as event 12 of the player's stream:",
        header: FrameHeader(kind: .event, opcode: StreamEvent.opcode.rawValue, correlation: 0),
        message: streamEvent, inner: invitation),
      ping(1, "A ping:"), ping(0, "Its answer:"),
      answer(
        .error, Opcode(rawValue: 0), 0, Failure.framingLost(.unknownKind(77)),
        "What the server says before it closes a connection on which framing is lost:"),
    ]
  }

  private static func request<O: Operation>(
    _ operation: O, _ correlation: UInt32, _ title: String,
    _ change: (inout ClientEnvelope) -> Void = { _ in }
  ) -> WorkedExample {
    var envelope = ClientEnvelope()
    envelope.trace = 0x1234
    change(&envelope)
    let header = FrameHeader(
      kind: .request, opcode: O.opcode.rawValue, correlation: correlation)
    return WorkedExample(title: title, header: header, envelope: envelope, message: operation)
  }

  private static func answer(
    _ kind: FrameKind, _ opcode: Opcode, _ correlation: UInt32, _ message: any Message,
    _ title: String
  ) -> WorkedExample {
    let header = FrameHeader(kind: kind, opcode: opcode.rawValue, correlation: correlation)
    return WorkedExample(title: title, header: header, message: message)
  }

  private static func ping(_ correlation: UInt32, _ title: String) -> WorkedExample {
    WorkedExample(
      title: title, header: FrameHeader(kind: .ping, opcode: 0, correlation: correlation))
  }
}

// What the examples are about.
extension WorkedExample {
  private static let ada = PlayerID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
  private static let ben = PlayerID(high: 0x1112_1314_1516_1718, low: 0x191a_1b1c_1d1e_1f20)
  private static let context = ContextID(high: 0x2122_2324_2526_2728, low: 0x292a_2b2c_2d2e_2f30)

  private static let missed = EventID(high: 0x4142_4344_4546_4748, low: 0x494a_4b4c_4d4e_4f50)

  private static var echo: Echo {
    var echo = Echo()
    echo.payload = Bytes(Array("hi".utf8))
    return echo
  }

  private static var echoed: Echo.Reply {
    var reply = Echo.Reply()
    reply.payload = Bytes(Array("hi".utf8))
    return reply
  }

  private static var signIn: SignIn {
    var signIn = SignIn()
    signIn.game = "demo"
    signIn.player = ada
    signIn.device = DeviceID(high: 0x3132_3334_3536_3738, low: 0x393a_3b3c_3d3e_3f40)
    signIn.secret = Bytes([UInt8](0x80..<0xa0))
    signIn.cursor = 11
    signIn.cursorEvent = EventID(high: missed.high, low: 0x5152_5354_5556_5758)
    return signIn
  }

  private static var started: SessionStarted {
    var started = SessionStarted()
    started.token = Bytes([UInt8](0xc0..<0xd0))
    started.expiresInSeconds = 3600
    started.instance = 0x77
    started.player = ada
    started.displayName = "Ada"
    started.streamEnd = 12
    started.acknowledged = 10
    (started.replayedThrough, started.replayedEvent) = (12, missed)
    started.limits = ProtocolProse.usual
    return started
  }

  private static var setProfile: SetProfile {
    var profile = SetProfile()
    profile.displayName = "Ada"
    return profile
  }

  private static var invitation: ContextInvitation {
    var invitation = ContextInvitation()
    invitation.info.context = context
    invitation.info.generation = 1
    invitation.info.form = .pair
    invitation.info.size = 2
    invitation.info.players = [
      ContextPlayer(player: ben, role: .owner, state: .active),
      ContextPlayer(player: ada, role: .participant, state: .invited),
    ]
    invitation.info.createdAt = 1_790_000_000_000
    invitation.info.lastActiveAt = 1_790_000_000_000
    invitation.inviter = ben
    return invitation
  }

  private static var streamEvent: StreamEvent {
    var event = StreamEvent()
    event.sequence = 12
    event.id = missed
    event.after = 11
    event.game = "demo"
    event.time = 1_790_000_000_000
    event.kind = ContextInvitation.opcode.rawValue
    event.body = Bytes(invitation.encoded)
    return event
  }
}
