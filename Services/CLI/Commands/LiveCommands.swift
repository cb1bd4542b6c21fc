import MusterKit
import Wire

/// The commands that run until Ctrl-C, or until `--count` events have come.
enum LiveCommands {
  static let all = [
    Command(
      "watch", "", "print the player's events as they come",
      [
        .init(
          "after", "SEQUENCE",
          "Begin after this event (default: the last acknowledged one, also where the stream ends "
            + "before SEQUENCE). What is shown is acknowledged when the next one is asked for."),
        .init("count", "NUMBER", "End after this many events."),
        .init("hints", nil, "Print also the hints that only connected clients are given."),
      ], run: watch),
    Command(
      "counter", "PLAYER",
      "share a number with a friend: + and - change it, q or the end of the input leaves",
      run: counter),
    Command(
      "match", "CONTEXT",
      "play the match of a context: each line goes to all others, /host asks who is host, /q or the "
        + "end of the input leaves",
      [
        .init("size", "NUMBER", "How many play, if a group's match starts now."),
        .init("new", nil, "Start another match if the last one is over."),
        .init("stay", nil, "Stay in the match when the input ends."),
      ], run: match),
  ]

  private static func watch(_ session: Session) async throws {
    let after: StreamPlace? = try session.arguments["after"].map {
      StreamPlace(try session.integer($0, "--after"))
    }
    let count: UInt32 =
      try session.arguments["count"].map { try session.integer($0, "--count") } ?? .max
    guard count > 0 else { throw UsageError("--count is at least 1.") }
    try await session.asPlayer { client in
      let events = EventTeller(client, session.output)
      let hints = session.arguments.has("hints") ? client.hints : nil
      let teller = hints.map { hints in
        Task { for await hint in hints { await events.tell(hint) } }
      }
      defer { teller?.cancel() }
      session.output.note("watching; Ctrl-C ends")
      var seen: UInt32 = 0
      for await event in client.events(after: after) {
        await events.tell(event)
        // To ask for the next one is to say that this one was seen.
        seen += 1
        if seen == count || session.output.failure != nil { break }
      }
    }
  }

  private static func match(_ session: Session) async throws {
    let context = try session.context()
    let count: UInt8 =
      try session.arguments["size"].map { try session.integer($0, "--size") } ?? 0
    try await session.asPlayer { client in
      let match = try await client.match(
        in: context, startsNew: session.arguments.has("new"), playerCount: Int(count))
      await MatchTalk(match, session.output, PlayerNames(client))
        .run(stays: session.arguments.has("stay"))
    }
  }

  private static func counter(_ session: Session) async throws {
    let friend = try session.player(session.word(0, "PLAYER"))
    try await session.asPlayer { client in
      let context = try await client.createContext(with: friend)
      let match = try await client.match(in: context.context, startsNew: true)
      let counter = Counter(match: match, output: session.output)
      await counter.run()
    }
  }
}

/// The counter app. Each change sends the whole number in eight bytes, the most significant first.
actor Counter {
  private let match: Match
  private let output: Output
  private var value: Int64 = 0
  private var isLeaving = false

  init(match: Match, output: Output) {
    self.match = match
    self.output = output
  }

  func run() async {
    output.note("waiting for the other player; type + or - and Enter, q to leave")
    let keys = Task {
      for await line in KeyLines.lines() {
        guard await change(line.trimmed) else { break }
      }
      // Who types nothing any more has left, too.
      if !Task.isCancelled { await leave() }
    }
    for await event in match.events {
      if output.failure != nil { break }
      switch event {
      case .data(_, let bytes, _):
        if let number = CounterCoding.decode(bytes) {
          value = number
          show("received")
        }
      case .playerChanged(_, let state, _):
        output.note("the other player \(state == .left ? "has" : "is") \(state)")
      case .messageLost: output.note("a message was lost")
      case .ended(let end):
        output.note("the match is over: \(MatchTalk.reason(end, of: match))")
      }
    }
    if !isLeaving { keys.cancel() }
    await keys.value
  }

  /// It is waited for: the other player is told by it.
  private func leave() async {
    isLeaving = true
    try? await match.leave()
  }

  private func change(_ key: String) async -> Bool {
    switch key {
    // These wrap, because the other player may have sent any number.
    case "+": value &+= 1
    case "-": value &-= 1
    case "q": return false
    default:
      output.note("type + or - or q, then Enter")
      return true
    }
    do {
      try await match.sendReliable(CounterCoding.encode(value))
      show("sent")
    } catch {
      output.note("not sent: \(error)")
    }
    return true
  }

  private func show(_ how: String) {
    if !output.isJSON { return output.note("counter: \(value) (\(how))") }
    output.show(
      .object([
        .init(name: "counter", value: .integer(value)), .init(name: "change", value: .text(how)),
      ]))
  }
}

/// The counter's number on the wire, as the app that it comes from has it.
enum CounterCoding {
  static func encode(_ value: Int64) -> [UInt8] {
    var writer = Writer()
    writer.integer(value)
    return writer.bytes
  }

  static func decode(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count == 8 else { return nil }
    return try? Reader.read(bytes) { $0.integer(Int64.self) }.get()
  }
}
