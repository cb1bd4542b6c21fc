import Locking
import MusterKit
import Wire

/// A match by hand: lines that are typed go to all others, and what comes is printed.
actor MatchTalk {
  private let match: Match
  private let output: Output
  private let names: PlayerNames
  private var isLeaving = false

  init(_ match: Match, _ output: Output, _ names: PlayerNames) {
    self.match = match
    self.output = output
    self.names = names
  }

  /// - Parameter stays: whether the player stays in the match when nothing more can be typed.
  func run(stays: Bool) async {
    output.note("players expected: \(match.expectedPlayerCount); /host and /q besides lines")
    let keys = Task {
      for await line in KeyLines.lines() {
        guard await take(line.trimmed) else { return await leave() }
      }
      if !stays && !Task.isCancelled { await leave() }
    }
    for await event in match.events {
      await show(event)
      if output.failure != nil { break }
    }
    if !isLeaving { keys.cancel() }
    await keys.value
  }

  /// The match's events tell that it is over, and end `run`, which waits for this: the others are
  /// told by it.
  private func leave() async {
    isLeaving = true
    try? await match.leave()
  }

  private func take(_ line: String) async -> Bool {
    do throws(MusterError) {
      switch line {
      case "/q": return false
      case "/host":
        let host = try await match.chooseHost()
        if let host {
          output.note("host: \(await who(host))")
        } else {
          output.note("no host is known yet")
        }
      default: try await match.sendReliable(Array(line.utf8))
      }
    } catch {
      output.note("\(error)")
    }
    return true
  }

  private func show(_ event: MatchEvent) async {
    if output.isJSON, let tree = tree(event) { return output.show(tree) }
    switch event {
    case .data(let sender, let bytes, _):
      output.note("\(await who(sender)): \(String(decoding: bytes, as: UTF8.self))")
    case .playerChanged(let player, let state, _):
      let expected = match.expectedPlayerCount
      output.note(
        "\(await who(player)): \(state)" + (expected > 0 ? "; \(expected) more expected" : ""))
    case .messageLost(let sender): output.note("a message of \(await who(sender)) was too long")
    case .ended(let end):
      output.note("the match is over: \(Self.reason(end, of: match))")
      if end == .ended && !match.hasBegun {
        output.note("it never began; `muster queue status` shows whether you wait again")
      }
    }
  }

  private func who(_ player: PlayerID) async -> String {
    await names.reading(of: [player]).who(player)
  }

  /// An event for programs; nil for one that is for people alone.
  private func tree(_ event: MatchEvent) -> Tree? {
    switch event {
    case .data(let sender, let bytes, let isReliable):
      .object([
        .init(name: "from", value: .text(sender.description)),
        .init(name: "data", value: .text(String(decoding: bytes, as: UTF8.self))),
        .init(name: "isReliable", value: .bool(isReliable)),
      ])
    case .playerChanged(let player, let state, _):
      .object([
        .init(name: "player", value: .text(player.description)),
        .init(name: "state", value: .text("\(state)")),
        .init(name: "expected", value: .integer(Int64(match.expectedPlayerCount))),
      ])
    default: nil
    }
  }

  static func reason(_ end: MatchEnd, of match: Match) -> String {
    switch end {
    case .ended where match.hasBegun && !match.players.isEmpty:
      "the others have left, or you were away or took no data for too long"
    case .ended: "it ended"
    case .left: "you have left"
    case .seatTaken: "another client of this player plays on"
    case .closed: "the client was closed"
    case .failed(let error): "\(error)"
    }
  }
}

/// The lines that are typed.
enum KeyLines {
  /// They are read on a thread of their own, because reading blocks.
  static func lines() -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    SystemThread.start("muster.keys") {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return lines
  }
}
