import MusterKit
import Transport

/// A server in this process that keeps the rules clients rely on (sessions, idempotency keys, one
/// event stream, a match relay) and breaks down as often as it is told to.
///
/// Lives on the loop of its clients; kept by it, so that links and tests find it there.
final class FakeGateway {
  enum Fault: CaseIterable {
    case dropBefore, dropAfter, unavailableBefore, unavailableAfter, rateLimited
  }

  let loop: Loop
  private(set) var port: LocalPort?
  private var random: SplitMix
  /// One request in so many breaks down; 0 none.
  var faultEvery = 0
  /// One push in so many is lost; 0 none.
  var losePushEvery = 0
  /// So many of the next requests are refused, to be repeated after half a second.
  var refusals = 0
  /// Each join is refused, to be repeated after half a second.
  var refusesJoining = false
  var onRefused: (() -> Void)?
  /// Missed events that are pushed when a session begins.
  var replayMax = 100
  /// Requests are carried out and not answered.
  var isSilent = false
  /// When each session begins.
  var time: Int64 = 0
  var sessions: [FakeSession] = []
  /// Where an earlier client of the player was when it ended.
  var currentContext: ContextID?
  /// In which the player is no more.
  var leftContext: ContextID?
  /// Who has agreed to requests without a dialog; nil where the list cannot be read.
  var consents: [PlayerID]? = []
  /// How often somebody has asked for a page of them.
  var consentReads = 0
  /// Invite tokens that were claimed.
  var claimed: [InviteTokenID] = []
  var claimCount = 0
  var onClaim: (() -> Void)?

  // What a deployment would keep.
  let credential: Credential
  private var instanceNext: UInt64 = 100
  private var tokens: [Bytes: UInt64] = [:]
  var openedCount = 0
  var resumedCount = 0

  private struct Key: Hashable {
    var instance: UInt64
    var counter: UInt64
  }
  private var replies: [Key: UInt64] = [:]
  private var floors: [UInt64: UInt64] = [:]
  private(set) var applied: [UInt64] = []
  private(set) var staleCount = 0
  var onApplied: (() -> Void)?
  /// When a connection was lost.
  var onLeft: (() -> Void)?

  private(set) var events: [StreamEvent] = []
  /// How often the events went back to a backup: in the identifiers of those after it.
  private var past: UInt64 = 1
  var acknowledged: UInt64 = 0
  var onAcknowledged: ((UInt64) -> Void)?
  /// So many of the next acknowledgements are refused, as while the session is being restored.
  var acknowledgementsRefused = 0
  var onAcknowledgementRefused: (() -> Void)?
  var tickets = FakeTickets()
  var match = FakeMatch()
  var profiles = FakeProfiles()

  /// How long it keeps a client that sends nothing, and tells it so.
  let idleMilliseconds: UInt64

  init(_ loop: Loop, seed: UInt64, idleMilliseconds: UInt64 = 120_000) {
    self.loop = loop
    self.idleMilliseconds = idleMilliseconds
    random = SplitMix(seed: seed)
    credential = Credential(
      player: PlayerID(high: 7, low: 7), device: DeviceID(high: 8, low: 8),
      secret: [UInt8](repeating: 9, count: 32))
    var limits = ConnectionLimits.client
    limits.idleMilliseconds = idleMilliseconds
    port = LocalPort(on: loop, limits: limits) { [unowned self] in accept($0) }
  }

  func accept(_ connection: Connection) -> any ConnectionDelegate {
    let session = FakeSession(self, connection)
    sessions.append(session)
    return session
  }

  func dropAll() { for session in sessions { session.connection.close(.local("dropped")) } }
  func expireTokens() { tokens = [:] }

  func refuses(_ header: FrameHeader) -> Bool {
    if refusesJoining, header.opcode == JoinMatch.opcode.rawValue { return true }
    guard refusals > 0 else { return false }
    refusals -= 1
    return true
  }

  func fault() -> Fault? {
    guard faultEvery > 0, Int.random(in: 0..<faultEvery, using: &random) == 0 else { return nil }
    return Fault.allCases.randomElement(using: &random)
  }

  // MARK: Sessions

  /// Goes back to a backup with so many events, and loses every connection.
  func goBack(to count: Int) {
    events.removeLast(events.count - count)
    acknowledged = min(acknowledged, UInt64(count))
    past += 1
    dropAll()
  }

  private func isPlace(_ cursor: UInt64, _ event: EventID) -> Bool {
    if cursor > UInt64(events.count) { return false }
    return cursor == 0 || event.isNil || events[Int(cursor) - 1].id == event
  }

  func open(
    _ player: PlayerID, cursor: UInt64?, _ event: EventID, instance resumed: UInt64?,
    _ session: FakeSession
  ) -> Result<SessionStarted, Failure> {
    if let cursor, !isPlace(cursor, event) {
      return .failure(Failure(.cursorLost, argument: "cursor", "no such place"))
    }
    let instance = resumed ?? instanceNext
    if resumed == nil { instanceNext += 1 }
    openedCount += 1
    if resumed != nil { resumedCount += 1 }
    session.player = player
    session.instance = instance
    let start = Int(cursor ?? acknowledged)
    let replay = events.dropFirst(start).prefix(replayMax)
    for event in replay { session.push(event) }
    var started = SessionStarted()
    started.replayedThrough = UInt64(start + replay.count)
    if started.replayedThrough > 0 {
      started.replayedEvent = events[Int(started.replayedThrough) - 1].id
    }
    session.isLive = started.replayedThrough == UInt64(events.count)
    started.instance = instance
    started.player = player
    started.token = Bytes([UInt8(tokens.count & 255)] + player.bytes + [UInt8(openedCount & 255)])
    started.streamEnd = UInt64(events.count)
    started.acknowledged = acknowledged
    started.limits.idleMilliseconds = UInt32(idleMilliseconds)
    started.time = time
    tokens[started.token] = instance
    return .success(started)
  }

  func resume(_ operation: Resume, _ session: FakeSession) -> Result<SessionStarted, Failure> {
    guard let instance = tokens[operation.token] else {
      return .failure(Failure(.sessionExpired, "The session token has expired."))
    }
    let player = PlayerID(bytes: Array(operation.token.array[1...16])) ?? PlayerID()
    return open(
      player, cursor: operation.cursor, operation.cursorEvent, instance: instance, session)
  }

  // MARK: Effects

  func add(_ amount: UInt64, _ key: IdempotencyKey, instance: UInt64) -> Result<Add.Reply, Failure>
  {
    guard key.isPresent else { return .failure(Failure(.requiredArgument, "no key")) }
    var reply = Add.Reply()
    let name = Key(instance: instance, counter: key.counter)
    if let total = replies[name] {
      reply.total = total
      return .success(reply)
    }
    guard key.counter >= floors[instance, default: 0] else {
      staleCount += 1
      return .failure(Failure(.staleKey, "too old"))
    }
    floors[instance] = max(floors[instance, default: 0], key.floor)
    replies = replies.filter { $0.key.instance != instance || $0.key.counter >= key.floor }
    applied.append(amount)
    reply.total = UInt64(applied.count)
    replies[name] = reply.total
    onApplied?()
    return .success(reply)
  }

  func append<E: Event>(_ event: E, at time: Int64 = 0) {
    var entry = StreamEvent()
    entry.time = time
    entry.sequence = UInt64(events.count + 1)
    entry.id = EventID(high: past, low: entry.sequence)
    entry.kind = E.opcode.rawValue
    entry.body = Bytes(event.encoded)
    entry.after = entry.sequence - 1
    events.append(entry)
    for session in sessions where session.player != nil && session.isLive {
      if losePushEvery > 0, Int.random(in: 0..<losePushEvery, using: &random) == 0 { continue }
      session.push(entry)
    }
  }

  func read(_ operation: ReadEvents, _ session: FakeSession) -> Result<ReadEvents.Reply, Failure> {
    guard isPlace(operation.after, operation.afterEvent) else {
      return .failure(Failure(.cursorLost, argument: "after", "no such place"))
    }
    var reply = ReadEvents.Reply()
    let start = min(Int(operation.after), events.count)
    reply.events = Array(events[start...].prefix(Int(operation.limit)))
    reply.through = UInt64(start + reply.events.count)
    reply.more = Int(reply.through) < events.count
    reply.oldest = 1
    reply.throughEvent = reply.events.last?.id ?? EventID()
    if !reply.more { session.isLive = true }
    return .success(reply)
  }

  func acknowledge(_ through: UInt64) -> Result<Empty, Failure> {
    if acknowledgementsRefused > 0 {
      acknowledgementsRefused -= 1
      onAcknowledgementRefused?()
      return .failure(Failure(.unavailable, "not open here yet"))
    }
    acknowledged = max(acknowledged, through)
    onAcknowledged?(acknowledged)
    return .success(Empty())
  }
}
