#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `bench-fill store DIRECTORY GAME BOARD PLAYERS [BOARD PLAYERS]...` writes a leaderboard
/// service's store with boards of so many players, and with `attempts` in place of `store` boards
/// that keep each attempt; `bench-fill timers DIRECTORY PENDING DUE` adds so many timers to such a
/// store, so many of them due, and `bench-fill board-timers DIRECTORY GAME BOARD DUE` so many at
/// the key of one board; `bench-fill redis PLAYERS` prints the players of one as commands for
/// Redis.
@main
enum FillMain {
  private static let usage =
    "usage: bench-fill store|attempts DIRECTORY GAME BOARD PLAYERS [BOARD PLAYERS]... "
    + "| timers DIRECTORY PENDING DUE | board-timers DIRECTORY GAME BOARD DUE | redis PLAYERS"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let players = arguments.last.flatMap { Int($0) } ?? 0
    do {
      switch (arguments.first, arguments.count) {
      case (let kind?, 5...)
      where ["store", "attempts"].contains(kind) && arguments.count % 2 == 1:
        let fill = try StoreFill(
          directory: arguments[1], game: arguments[2], keepsAttempts: kind == "attempts")
        for place in stride(from: 3, to: arguments.count, by: 2) {
          guard let players = Int(arguments[place + 1]), players > 0 else { end(usage, 64) }
          try fill.fill(arguments[place], players: players)
        }
        fill.close()
      case ("timers", 4):
        guard let pending = Int(arguments[2]) else { end(usage, 64) }
        let fill = try StoreFill(directory: arguments[1])
        try fill.fillTimers(pending: pending, due: players)
        fill.close()
      case ("board-timers", 5) where players > 0:
        let fill = try StoreFill(directory: arguments[1], game: arguments[2])
        try fill.fillTimers(of: arguments[3], due: players)
        fill.close()
      case ("redis", 2) where players > 0: RedisFill.run(players: players)
      case ("--help", _): end(usage, 0)
      default: end(usage, 64)
      }
    } catch {
      end("bench-fill: \(error)", 1)
    }
  }

  static func end(_ text: String, _ code: Int32) -> Never {
    print(text)
    exit(code)
  }
}
