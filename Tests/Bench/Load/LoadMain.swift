import Domain
import Foundation
import Operations
import ServiceKit
import Transport

extension NumberSetting {
  fileprivate static let port = NumberSetting(
    "port", .count, default: 7400, 1...65_535, "The gateway's port on loopback.")
  fileprivate static let connections = NumberSetting(
    "connections", .count, default: 256, 1...10_000, "Players, one connection each.")
  fileprivate static let seconds = NumberSetting(
    "seconds", .count, default: 10, 1...86_400, "How long to submit.")
  fileprivate static let players = NumberSetting(
    "players", .count, default: 0, 0...100_000_000,
    "Ask for ranks of a board filled with so many players; 0 only submits.")
  fileprivate static let writesPercent = NumberSetting(
    "writes-percent", .count, default: 0, 0...100,
    "Calls that submit a score of one of these players in place of asking.")
  fileprivate static let writers = NumberSetting(
    "writers", .count, default: 0, 0...100_000_000,
    "For how many of these players scores are submitted, the last ones; 0 stands for all.")
}

/// `muster-load`: players that submit scores as fast as they are answered; prints a line when it
/// begins to measure and one of JSON at its end, which a SIGTERM brings about before its time. With
/// `--script` it only writes down what it would have sent.
@main
enum LoadMain {
  static let settings = [
    Setting(.port),
    Setting("authority", "PEM of the authority that signed the gateway's certificate."),
    Setting("game", fallback: "demo", "The game."),
    Setting("board", fallback: "bench", "The leaderboard."),
    Setting("operator-secret", isSecret: true, "Lets the run declare its board."),
    Setting(.connections), Setting(.seconds), Setting(.players), Setting(.writesPercent),
    Setting(.writers),
    Setting(
      "script", fallback: "",
      "Write the calls to this folder, for another load generator, in place of making them."),
  ]

  static func main() async {
    let configuration = ProcessShell.configuration(
      program: "muster-load", summary: "submits scores as fast as they are answered",
      settings: settings)
    do {
      let numbers = configuration.numbers
      let plan = LoadPlan(
        port: UInt16(numbers[.port]),
        authority: try configuration.required("authority"),
        game: try configuration.required("game"), board: try configuration.required("board"),
        connections: Int(numbers[.connections]), seconds: Int(numbers[.seconds]),
        operatorSecret: try configuration.required("operator-secret"),
        players: Int(numbers[.players]),
        writesPercent: Int(numbers[.writesPercent]),
        writers: Int(numbers[.writers]), script: configuration["script"] ?? "")
      let thread = LoopThread(name: "muster-load")
      let (results, result) = AsyncStream.makeStream(of: Result<String, ProcessShell.Fatal>.self)
      try await thread.run { loop in
        let run = try LoadRun(loop: loop, plan: plan) { result.yield($0) }
        loop.keep(run)
        run.start()
      }
      for await result in results {
        print(try result.get())
        exit(0)
      }
    } catch {
      ProcessShell.end("muster-load", error)
    }
  }
}

/// Signs every player in, a few at a time, then lets all of them submit for the time planned.
final class LoadRun {
  /// Handshakes under way at once; more would only queue at the gateway.
  private static let startingMax = 16

  private let loop: Loop
  private let plan: LoadPlan
  private let report = LoadReport()
  private let clients: [LoadClient]
  private let declarer: LoadClient
  private let done: (Result<String, ProcessShell.Fatal>) -> Void
  private var started = 0
  private var ready = 0
  private var serverSignIn = SignInGameServer()
  private var script: LoadScript
  private var watch: LoopTimer?

  init(
    loop: Loop, plan: LoadPlan, done: @escaping (Result<String, ProcessShell.Fatal>) -> Void
  ) throws {
    self.loop = loop
    self.plan = plan
    self.done = done
    let tls = try TLSClientContext(trust: .authority(plan.authority), serverName: "localhost")
    let report = report
    script = LoadScript(plan)
    declarer = LoadClient(loop: loop, plan: plan, tls: tls, report: report)
    clients = (0..<plan.connections).map { _ in
      LoadClient(loop: loop, plan: plan, tls: tls, report: report)
    }
  }

  func start() {
    declarer.declareBoard { [self] in
      declarer.fetchServerCredential { [self] credential in
        serverSignIn.game = plan.game
        serverSignIn.credential = credential
        for _ in 0..<min(Self.startingMax, clients.count) { startNext() }
      }
    }
    watch = loop.every(100) { [self] in
      if let failure = report.failure { finish(.failure(.init(.software, failure))) }
    }
  }

  private func startNext() {
    guard started < clients.count else { return }
    let client = clients[started]
    started += 1
    switch (plan.script.isEmpty, plan.players == 0) {
    case (true, true): client.begin { [self] in didStart() }
    case (true, false): client.beginAsServer(serverSignIn) { [self] in didStart() }
    case (false, true):
      client.signUp { [self] signIn in
        script.open(with: signIn)
        didStart()
      }
    case (false, false):
      script.open(with: serverSignIn)
      didStart()
    }
  }

  private func didStart() {
    ready += 1
    if ready < clients.count {
      startNext()
    } else if plan.script.isEmpty {
      measure()
    } else {
      finish(Result { try script.write() }.mapError { .init(.software, "\($0)") })
    }
  }

  private func measure() {
    report.open()
    for client in clients { client.play() }
    _ = loop.after(UInt64(plan.seconds) * 1000) { [self] in end() }
    loop.onSignal(SIGTERM) { [self] in end() }
    FileHandle.standardOutput.write(Data("measuring\n".utf8))
  }

  private func end() {
    report.close()
    finish(.success(report.json))
  }

  private func finish(_ result: Result<String, ProcessShell.Fatal>) {
    watch?.cancel()
    done(result)
  }
}
