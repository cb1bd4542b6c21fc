import Domain
import Operations
import Transport
import Wire

/// One connection that makes a call, waits for the answer, and makes the next call. It signs in as
/// a player, or as the game's own server. The latter may ask for and submit everybody's scores, so
/// that the whole of a filled board is touched.
final class LoadClient {
  private static let deadlineMilliseconds: UInt64 = 30_000
  /// As MusterKit does: so long after an event it and those behind it are acknowledged.
  private static let acknowledgeMilliseconds: UInt64 = 200
  /// Made with the first call, so that connections come as few at a time as calls do.
  private lazy var link = makeLink()
  private let loop: Loop
  private let tls: TLSClientContext
  let plan: LoadPlan
  let report: LoadReport
  private(set) var player = PlayerID()
  /// What the player does with an event of its stream.
  var onEvent: ((StreamEvent) -> Void)?
  /// The newest event, and the newest that is acknowledged.
  private var (newest, acknowledged): (UInt64, UInt64) = (0, 0)
  private var counter: UInt64 = 0
  private var calls: LoadCalls
  private var onReady: (() -> Void)?
  /// Where what is sent again and again is encoded.
  private var writer = Writer(capacity: 256)

  init(loop: Loop, plan: LoadPlan, tls: TLSClientContext, report: LoadReport) {
    self.plan = plan
    self.report = report
    self.loop = loop
    self.tls = tls
    calls = LoadCalls(plan)
  }

  private func makeLink() -> Link {
    let link = Link(on: loop, host: "127.0.0.1", port: plan.port, tls: tls, limits: .player)
    link.onEvent = { [unowned self] header, body in took(header, body) }
    return link
  }

  /// The time now.
  var microseconds: UInt64 { loop.monotonicMicroseconds }

  /// As the operator, declares a board on which every submission counts: the latest score is kept,
  /// so each one is a change that has to be durable. A filled board is declared already, and may be
  /// ranked by other rules by now.
  func declareBoard(_ ready: @escaping () -> Void) {
    var signIn = SignInOperator()
    signIn.secret = plan.operatorSecret
    signIn.game = plan.game
    call(signIn) { [self] _ in
      if plan.players > 0 || plan.play != .board { return ready() }
      var define = DefineLeaderboard()
      define.definition.board = plan.board
      define.definition.title = "Benchmark"
      define.definition.aggregation = .latest
      counter += 1
      call(define) { _ in ready() }
    }
  }

  /// Fetches, as the operator, the credential with which the game's server signs in.
  func fetchServerCredential(_ done: @escaping (String) -> Void) {
    var fetch = GameServerCredential()
    fetch.game = plan.game
    call(fetch) { done($0.credential) }
  }

  /// Makes a player; `done` gets the call with which the player signs in.
  func signUp(_ done: @escaping (SignIn) -> Void) {
    var signUp = SignUp()
    signUp.attempt = RoutingKey(
      high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    signUp.displayName = "load"
    call(signUp) { [self] credential in
      var signIn = SignIn()
      signIn.game = plan.game
      signIn.player = credential.player
      signIn.device = credential.device
      signIn.secret = credential.secret
      done(signIn)
    }
  }

  /// Makes a player, signs it in, and calls `ready`.
  func begin(_ ready: @escaping () -> Void) {
    onReady = ready
    signUp { [self] signIn in
      player = signIn.player
      call(signIn) { [self] _ in
        onReady?()
        onReady = nil
      }
    }
  }

  /// Makes one call of nobody's, which has the connection made.
  func touch(_ ready: @escaping () -> Void) {
    link.call(
      Echo.opcode.rawValue, body: Enveloped.join(ClientEnvelope(), []),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] result in
      switch result {
      case .success: ready()
      case .failure(let failure): report.fail("Echo: \(failure)")
      }
    }
  }

  func beginAsServer(_ signIn: SignInGameServer, _ ready: @escaping () -> Void) {
    call(signIn) { _ in ready() }
  }

  /// Makes the next call, and the one after it when it is answered, while the report is open.
  func play() {
    guard report.isOpen else { return }
    switch calls.next() {
    case .ask(let question):
      measure(question) { [self] in
        play()
        return $0.entry.map { UInt64($0.rank) }
      }
    case .submit(let submission):
      counter += 1
      measure(submission) { [self] in
        play()
        return UInt64(bitPattern: $0.entry.value) &+ UInt64($0.entry.rank)
      }
    }
  }

  /// Makes a call that changes something, counts its answer and hands it over.
  func change<O: Operation>(_ operation: O, _ done: @escaping (O.Reply) -> UInt64?) {
    counter += 1
    measure(operation, done)
  }

  /// Makes a call and counts its answer. Written to cost little, as the load shares the machine
  /// with what it measures: the operation is encoded where the last one was.
  ///
  /// - Parameter done: goes on, and returns a checksum; nil when the answer lacks what was asked
  ///   for.
  @inline(__always)
  private func measure<O: Operation>(_ operation: O, _ done: @escaping (O.Reply) -> UInt64?) {
    var envelope = ClientEnvelope()
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: counter)
    writer.bytes.removeAll(keepingCapacity: true)
    envelope.encode(to: &writer)
    operation.encodeFields(to: &writer)
    let began = loop.monotonicMicroseconds
    link.forward(
      O.opcode.rawValue, prefix: writer.bytes, body: RawSpan(),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] kind, body in
      guard kind == .reply, let reply = try? O.Reply(decoding: body) else {
        let failure = try? Failure(decoding: body)
        report.fail("\(O.name): \(failure?.description ?? "unreadable")")
        return
      }
      let microseconds = loop.monotonicMicroseconds - began
      guard let checksum = done(reply) else {
        report.fail("\(O.name): the answer lacks what was asked for")
        return
      }
      report.took(microseconds: microseconds, checksum: checksum)
    }
  }

  // MARK: Events

  private func took(_ header: FrameHeader, _ body: RawSpan) {
    guard header.opcode == StreamEvent.opcode.rawValue,
      let event = try? StreamEvent(decoding: body)
    else { return }
    if newest == acknowledged {
      loop.after(Self.acknowledgeMilliseconds) { [self] in acknowledge() }
    }
    newest = event.sequence
    onEvent?(event)
  }

  private func acknowledge() {
    acknowledged = newest
    var operation = Acknowledge()
    operation.through = newest
    callToChange(operation) { _ in }
  }

  func close() { link.close() }

  func wait(_ milliseconds: UInt64, _ done: @escaping () -> Void) {
    loop.after(milliseconds, done)
  }

  /// Makes a call that changes something and is not measured.
  func callToChange<O: Operation>(_ operation: O, _ done: @escaping (O.Reply) -> Void) {
    counter += 1
    call(operation, done)
  }

  func call<O: Operation>(_ operation: O, _ done: @escaping (O.Reply) -> Void) {
    var envelope = ClientEnvelope()
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: counter)
    link.call(
      O.opcode.rawValue, body: Enveloped.join(envelope, operation.encoded),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] result in
      switch result.map({ try? O.Reply(decoding: $0) }) {
      case .success(let reply?): done(reply)
      case .success(nil): report.fail("an unreadable reply to \(O.name)")
      case .failure(let failure): report.fail("\(O.name): \(failure)")
      }
    }
  }
}

struct LoadPlan: Sendable {
  /// What is called all the time.
  enum Play: String {
    /// Scores are submitted and ranks asked for.
    case board
    /// Turn-based games of two are played.
    case moves
    /// Tickets for matches of two are asked for, and matched.
    case tickets
    /// Requests are sent to friends, who are connected.
    case requests
    /// Players are signed in, and nothing else.
    case idle
    /// Connections are made and serve one call, of nobody: to a server that answers anything.
    case bare
  }

  var play: Play
  var port: UInt16
  /// Where the context service listens, and the certificate and key of a gateway; for moves and
  /// tickets alone.
  var contextPort: UInt16
  var certificate: String
  var key: String
  var authority: String
  var game: String
  var board: String
  var connections: Int
  var seconds: Int
  var operatorSecret: String
  /// How many players the filled board has, whose ranks are asked for; 0 stands for submissions
  /// alone.
  var players: Int
  /// How many calls of a hundred submit a score in place of asking for a rank.
  var writesPercent: Int
  /// How many players, the last ones, get submitted scores; 0 stands for all.
  var writers: Int
  /// How many friends each request goes to; of 1 both friends send.
  var recipients: Int
  /// Requests of each sender that are not answered yet.
  var depth: Int
  /// Events of one more player's stream, which is read from its beginning meanwhile.
  var replay: Int
  /// Where the request service listens, to write that stream.
  var requestPort: UInt16
  /// Turn-based games of `FilledGames` that are open meanwhile.
  var openGames: Int
  /// Tickets that wait meanwhile, and fit nobody.
  var waiting: Int
  /// Where to write the calls in place of making them; empty to make them.
  var script: String
}
