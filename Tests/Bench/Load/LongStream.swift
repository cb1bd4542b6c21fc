import Operations
import Transport
import Wire

/// A player with many events that nobody has read, and who then reads them all.
final class LongStream {
  private static let appendingMax = 512
  private static let deadlineMilliseconds: UInt64 = 30_000

  private let client: LoadClient
  private let link: Link
  private let plan: LoadPlan
  private var signIn = SignIn()
  private var (appended, appending) = (0, 0)
  private var began: UInt64 = 0

  init(_ client: LoadClient, loop: Loop, plan: LoadPlan) throws {
    self.client = client
    self.plan = plan
    let tls = try TLSClientContext(
      trust: .authority(plan.authority), certificate: plan.certificate, key: plan.key,
      serverName: "request.muster.internal")
    link = Link(on: loop, host: "127.0.0.1", port: plan.requestPort, tls: tls)
  }

  func prepare(_ ready: @escaping () -> Void) {
    client.signUp { [self] credential in
      signIn = credential
      append(ready)
    }
  }

  /// Appends events as a service does, of the game itself.
  private func append(_ ready: @escaping () -> Void) {
    if appended == plan.replay && appending == 0 { return ready() }
    while appending < Self.appendingMax, appended < plan.replay {
      appending += 1
      appended += 1
      var envelope = ServiceEnvelope()
      envelope.principal.kind = .service
      envelope.principal.game = plan.game
      envelope.routingKey = RoutingKey(reinterpreting: signIn.player)
      let append = AppendEvent(RequestExpired(), to: signIn.player, from: PlayerID())
      link.call(
        AppendEvent.opcode.rawValue, body: Enveloped.join(envelope, append.encoded),
        deadlineMilliseconds: Self.deadlineMilliseconds
      ) { [self] result in
        if case .failure(let failure) = result {
          return client.report.fail("AppendEvent: \(failure)")
        }
        appending -= 1
        self.append(ready)
      }
    }
  }

  /// Signs in, and reads to the end.
  func read() {
    began = client.microseconds
    client.report.isReplaying = true
    client.call(signIn) { [self] session in
      readOn(after: session.replayedThrough)
    }
  }

  private func readOn(after: UInt64) {
    var read = ReadEvents()
    read.after = after
    client.call(read) { [self] page in
      if page.more { return readOn(after: page.through) }
      client.report.isReplaying = false
      client.report.replayed = page.through
      client.report.replayMicroseconds = client.microseconds - began
    }
  }
}
