import Domain
import Foundation
import Operations
import ServiceKit
import Transport

extension NumberSetting {
  fileprivate static let port = NumberSetting(
    "port", .count, default: 7400, 1...65_535, "The gateway's port on loopback.")
  fileprivate static let contextPort = NumberSetting(
    "context-port", .count, default: 7401, 1...65_535, "The context service's port on loopback.")
  fileprivate static let rooms = NumberSetting(
    "rooms", .count, default: 1, 1...10_000, "Matches.")
  fileprivate static let size = NumberSetting(
    "size", .count, default: 2, 2...16, "Players of each match.")
  fileprivate static let seconds = NumberSetting(
    "seconds", .count, default: 10, 1...86_400, "How long to measure.")
  fileprivate static let depth = NumberSetting(
    "depth", .count, default: 1, 1...1_000, "Messages of each player on their way, of a flood.")
  fileprivate static let rate = NumberSetting(
    "rate", .count, default: 60, 1...10_000, "Messages a second of each player, of rooms.")
  fileprivate static let payload = NumberSetting(
    "payload", .count, default: 8, 8...16_384, "Bytes of a message.")
  // Players acknowledge as those of MusterKit do.
  fileprivate static let acknowledgeSize = NumberSetting(
    "acknowledge-size", .count, default: ContextLimits.matchAcknowledgementSize,
    1...1 << 20,
    "Bytes after which a player acknowledges at once; each message counts some more than it has.")
  fileprivate static let acknowledgeMilliseconds = NumberSetting(
    "acknowledge-milliseconds", .count,
    default: ContextLimits.matchAcknowledgementMilliseconds, 0...10_000,
    "How long a message waits for its acknowledgement.")
}

struct RelayPlan: Sendable {
  enum Kind: String {
    /// One player of each match sends, the other sends it back, and so on.
    case roundTrip = "round-trip"
    /// Each player has `depth` messages on their way, and sends the next one when one has come.
    case flood
    /// Each player sends `rate` messages a second to all others.
    case rooms
  }

  var kind: Kind
  var port: UInt16
  var contextPort: UInt16
  var authority: String
  /// Of a service, to open contexts.
  var certificate: String
  var key: String
  var game: String
  var rooms: Int
  var size: Int
  var seconds: Int
  var depth: Int
  var rate: Int
  var payload: Int
  var isReliable: Bool
  var acknowledgeSize: Int
  var acknowledgeMilliseconds: UInt64
}

/// `bench-relay`: players in matches who send each other data; prints a line of JSON at its end.
@main
enum RelayMain {
  static let settings = [
    Setting(.port), Setting(.contextPort),
    Setting("authority", "PEM of the authority that signed the gateway's certificate."),
    Setting("certificate", "PEM of a service's certificate, to open contexts with."),
    Setting("key", "PEM of its key."),
    Setting("game", fallback: "demo", "The game."),
    Setting("kind", fallback: "round-trip", "round-trip, flood or rooms."),
    Setting("lane", fallback: "reliable", "reliable or unreliable."),
    Setting(.rooms), Setting(.size), Setting(.seconds), Setting(.depth), Setting(.rate),
    Setting(.payload), Setting(.acknowledgeSize), Setting(.acknowledgeMilliseconds),
  ]

  static func main() async {
    let configuration = ProcessShell.configuration(
      program: "bench-relay", summary: "plays matches as fast as they are relayed",
      settings: settings)
    do {
      let numbers = configuration.numbers
      guard let kind = RelayPlan.Kind(rawValue: configuration["kind"] ?? "") else {
        throw ProcessShell.Fatal(.usage, "There is no such kind.")
      }
      let plan = RelayPlan(
        kind: kind, port: UInt16(numbers[.port]),
        contextPort: UInt16(numbers[.contextPort]),
        authority: try configuration.required("authority"),
        certificate: try configuration.required("certificate"),
        key: try configuration.required("key"),
        game: try configuration.required("game"), rooms: Int(numbers[.rooms]),
        size: Int(numbers[.size]), seconds: Int(numbers[.seconds]), depth: Int(numbers[.depth]),
        rate: Int(numbers[.rate]), payload: Int(numbers[.payload]),
        isReliable: configuration["lane"] != "unreliable",
        acknowledgeSize: Int(numbers[.acknowledgeSize]),
        acknowledgeMilliseconds: UInt64(numbers[.acknowledgeMilliseconds]))
      let thread = LoopThread(name: "bench-relay")
      let (results, result) = AsyncStream.makeStream(of: Result<String, ProcessShell.Fatal>.self)
      try await thread.run { loop in
        let run = try RelayRun(loop: loop, plan: plan) { result.yield($0) }
        loop.keep(run)
        run.start()
      }
      for await result in results {
        print(try result.get())
        exit(0)
      }
    } catch {
      ProcessShell.end("bench-relay", error)
    }
  }
}
