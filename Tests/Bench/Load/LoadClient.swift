import Domain
import Operations
import Transport
import Wire

/// One connection that makes a call, waits for the answer, and makes the next call. It signs in as
/// a player who submits scores, or as the game's own server. The latter may ask for and submit
/// everybody's scores, so that the whole of a filled board is touched.
final class LoadClient {
  private static let deadlineMilliseconds: UInt64 = 30_000
  private let link: Link
  let plan: LoadPlan
  let report: LoadReport
  private var counter: UInt64 = 0
  private var calls: LoadCalls
  private var onReady: (() -> Void)?
  /// Where what is sent again and again is encoded.
  private var writer = Writer(capacity: 256)

  init(loop: Loop, plan: LoadPlan, tls: TLSClientContext, report: LoadReport) {
    self.plan = plan
    self.report = report
    calls = LoadCalls(plan)
    link = Link(on: loop, host: "127.0.0.1", port: plan.port, tls: tls, limits: .player)
  }

  /// As the operator, declares a board on which every submission counts: the latest score is kept,
  /// so each one is a change that has to be durable. A filled board is declared already, and may be
  /// ranked by other rules by now.
  func declareBoard(_ ready: @escaping () -> Void) {
    var signIn = SignInOperator()
    signIn.secret = plan.operatorSecret
    signIn.game = plan.game
    call(signIn) { [self] _ in
      if plan.players > 0 { return ready() }
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
      call(signIn) { [self] _ in
        onReady?()
        onReady = nil
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
    case .ask(let question): measure(question) { $0.entry.map { UInt64($0.rank) } }
    case .submit(let submission):
      counter += 1
      measure(submission) { UInt64(bitPattern: $0.entry.value) &+ UInt64($0.entry.rank) }
    }
  }

  /// Makes a call, counts its answer and goes on. Written to cost little, as the load shares the
  /// machine with what it measures: the operation is encoded where the last one was.
  @inline(__always)
  private func measure<O: Operation>(_ operation: O, checksum: @escaping (O.Reply) -> UInt64?) {
    var envelope = ClientEnvelope()
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: counter)
    writer.bytes.removeAll(keepingCapacity: true)
    envelope.encode(to: &writer)
    operation.encodeFields(to: &writer)
    let began = link.loop.monotonicMicroseconds
    link.forward(
      O.opcode.rawValue, prefix: writer.bytes, body: RawSpan(),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] kind, body in
      guard kind == .reply, let reply = try? O.Reply(decoding: body) else {
        let failure = try? Failure(decoding: body)
        report.fail("\(O.name): \(failure?.description ?? "unreadable")")
        return
      }
      guard let checksum = checksum(reply) else {
        report.fail("\(O.name): the answer lacks what a filled board has")
        return
      }
      report.took(microseconds: link.loop.monotonicMicroseconds - began, checksum: checksum)
      play()
    }
  }

  func close() { link.close() }

  private func call<O: Operation>(_ operation: O, _ done: @escaping (O.Reply) -> Void) {
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
  var port: UInt16
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
  /// Where to write the calls in place of making them; empty to make them.
  var script: String
}
