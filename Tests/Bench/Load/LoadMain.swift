import Domain
import Foundation
import Operations
import ServiceKit
import Transport

extension NumberSetting {
  fileprivate static let port = NumberSetting(
    "port", .count, default: 7400, 1...65_535, "The gateway's port on loopback.")
  fileprivate static let connections = NumberSetting(
    "connections", .count, default: 256, 1...100_000, "Players, one connection each.")
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
  fileprivate static let contextPort = NumberSetting(
    "context-port", .count, default: 7401, 1...65_535,
    "The context service's port on loopback, of moves and tickets.")
  fileprivate static let recipients = NumberSetting(
    "recipients", .count, default: 1, 1...50, "Friends that each request goes to.")
  fileprivate static let depth = NumberSetting(
    "depth", .count, default: 1, 1...64, "Requests of each sender that are under way.")
  fileprivate static let replay = NumberSetting(
    "replay", .count, default: 0, 0...1_000_000,
    "Events of one more player that are read from the first on while requests are sent.")
  fileprivate static let requestPort = NumberSetting(
    "request-port", .count, default: 7402, 1...65_535,
    "The request service's port on loopback, of a replay.")
  fileprivate static let openGames = NumberSetting(
    "open-games", .count, default: 0, 0...100_000_000,
    "Turn-based games that bench-turns has written, of which the first and the last are read.")
  fileprivate static let waiting = NumberSetting(
    "waiting", .count, default: 0, 0...1_000_000,
    "Tickets of other players that wait meanwhile and fit nobody.")
}

/// `muster-load`: players that submit scores, move in turn-based games, ask for matches or send
/// requests, as fast as they are answered, or only stay connected; prints a line when it begins to
/// measure and one of JSON at its end, which a SIGTERM brings about before its time. With
/// `--script` it only writes down what it would have sent.
@main
enum LoadMain {
  static let settings = [
    Setting(.port),
    Setting(
      "play", fallback: "board",
      "What is called: board, moves, tickets or requests; or idle and bare connections."),
    Setting("authority", "PEM of the authority that signed the gateway's certificate."),
    Setting("game", fallback: "demo", "The game."),
    Setting("board", fallback: "bench", "The leaderboard."),
    Setting("operator-secret", isSecret: true, "Lets the run declare its board."),
    Setting(.connections), Setting(.seconds), Setting(.players), Setting(.writesPercent),
    Setting(.writers), Setting(.contextPort),
    Setting("certificate", fallback: "", "PEM of a gateway's certificate, of moves and tickets."),
    Setting("key", fallback: "", "PEM of its key."),
    Setting(.openGames), Setting(.waiting), Setting(.recipients), Setting(.depth),
    Setting(.replay), Setting(.requestPort),
    Setting(
      "script", fallback: "",
      "Write the calls to this folder, for another load generator, in place of making them."),
  ]

  static func main() async {
    let configuration = ProcessShell.configuration(
      program: "muster-load", summary: "makes calls as fast as they are answered",
      settings: settings)
    do {
      let numbers = configuration.numbers
      guard let play = LoadPlan.Play(rawValue: configuration["play"] ?? "") else {
        throw ProcessShell.Fatal(.usage, "There is no such play.")
      }
      let plan = LoadPlan(
        play: play, port: UInt16(numbers[.port]), contextPort: UInt16(numbers[.contextPort]),
        certificate: configuration["certificate"] ?? "", key: configuration["key"] ?? "",
        authority: try configuration.required("authority"),
        game: try configuration.required("game"), board: try configuration.required("board"),
        connections: Int(numbers[.connections]), seconds: Int(numbers[.seconds]),
        operatorSecret: try configuration.required("operator-secret"),
        players: Int(numbers[.players]),
        writesPercent: Int(numbers[.writesPercent]),
        writers: Int(numbers[.writers]), recipients: Int(numbers[.recipients]),
        depth: Int(numbers[.depth]), replay: Int(numbers[.replay]),
        requestPort: UInt16(numbers[.requestPort]), openGames: Int(numbers[.openGames]),
        waiting: Int(numbers[.waiting]), script: configuration["script"] ?? "")
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

/// Signs every player in, a few at a time, then lets all of them play for the time planned.
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
  private let moves: MovePlay?
  private let tickets: TicketPlay?
  private let requests: RequestPlay?
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
    let declarer = LoadClient(loop: loop, plan: plan, tls: tls, report: report)
    self.declarer = declarer
    let clients = (0..<plan.connections).map { _ in
      LoadClient(loop: loop, plan: plan, tls: tls, report: report)
    }
    self.clients = clients
    let context =
      [.moves, .tickets].contains(plan.play)
      ? try ContextCalls(loop: loop, plan: plan, report: report) : nil
    moves = plan.play == .moves ? context.map { MovePlay(clients, $0) } : nil
    tickets =
      plan.play == .tickets ? context.map { TicketPlay(clients, $0, declarer: declarer) } : nil
    var long: LongStream?
    if plan.play == .requests, plan.replay > 0 {
      long = try LongStream(
        LoadClient(loop: loop, plan: plan, tls: tls, report: report), loop: loop, plan: plan)
    }
    requests = plan.play == .requests ? RequestPlay(clients, plan, long) : nil
  }

  func start() {
    watch = loop.every(100) { [self] in
      if let failure = report.failure { finish(.failure(.init(.software, failure))) }
    }
    if plan.play == .bare {
      for _ in 0..<min(Self.startingMax, clients.count) { startNext() }
      return
    }
    declarer.declareBoard { [self] in
      declarer.fetchServerCredential { [self] credential in
        serverSignIn.game = plan.game
        serverSignIn.credential = credential
        for _ in 0..<min(Self.startingMax, clients.count) { startNext() }
      }
    }
  }

  private func startNext() {
    guard started < clients.count else { return }
    let client = clients[started]
    started += 1
    if plan.play == .bare { return client.touch { [self] in didStart() } }
    switch (plan.script.isEmpty, plan.players == 0) {
    case (true, true): client.begin { [self] in didStart() }
    case (true, false): client.beginAsServer(serverSignIn) { [self] in didStart() }
    case (false, true):
      // Nobody plays on these connections, so a few of them sign everybody up.
      clients[(started - 1) % Self.startingMax].signUp { [self] signIn in
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
    } else if let moves {
      moves.prepare { [self] in measure() }
    } else if let tickets {
      tickets.prepare { [self] in measure() }
    } else if let requests {
      requests.prepare { [self] in measure() }
    } else if plan.script.isEmpty {
      measure()
    } else {
      finish(Result { try script.write() }.mapError { .init(.software, "\($0)") })
    }
  }

  private func measure() {
    report.open()
    switch plan.play {
    case .board: for client in clients { client.play() }
    case .moves: moves?.begin()
    case .tickets: tickets?.begin()
    case .requests: requests?.begin()
    case .idle, .bare: break
    }
    _ = loop.after(UInt64(plan.seconds) * 1000) { [self] in end() }
    loop.onSignal(SIGTERM) { [self] in end() }
    FileHandle.standardOutput.write(Data("measuring\n".utf8))
  }

  private func end() {
    report.close()
    report.waited = tickets?.waited ?? 0
    finish(.success(report.json))
  }

  private func finish(_ result: Result<String, ProcessShell.Fatal>) {
    watch?.cancel()
    done(result)
  }
}
