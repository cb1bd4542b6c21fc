#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `bench-fill store DIRECTORY GAME BOARD PLAYERS` writes a leaderboard service's store with a board
/// of so many players; `bench-fill redis PLAYERS` prints the same players as commands for Redis.
@main
enum FillMain {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let players = arguments.last.flatMap { Int($0) } ?? 0
    do {
      switch (arguments.first, arguments.count) {
      case ("store", 5) where players > 0:
        try StoreFill(directory: arguments[1], game: arguments[2], board: arguments[3])
          .run(players: players)
      case ("redis", 2) where players > 0: RedisFill.run(players: players)
      default: end("usage: store DIRECTORY GAME BOARD PLAYERS | redis PLAYERS", 64)
      }
    } catch {
      end("\(error)", 1)
    }
  }

  static func end(_ text: String, _ code: Int32) -> Never {
    print("bench-fill: \(text)")
    exit(code)
  }
}
