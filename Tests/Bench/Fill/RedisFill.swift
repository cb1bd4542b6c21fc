import BenchPlayers
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The players of a filled board as `ZADD` commands for `redis-cli --pipe`: members of 16 bytes.
enum RedisFill {
  /// Members of a command: with more, taking commands apart costs the server little.
  private static let perCommand = 100

  static func run(players: Int) {
    var out: [UInt8] = []
    for start in stride(from: 0, to: players, by: perCommand) {
      let end = min(players, start + perCommand)
      append("*\(2 + 2 * (end - start))\r\n", to: &out)
      append(Array("ZADD".utf8), to: &out)
      append(Array("board".utf8), to: &out)
      for number in start..<end {
        append(Array("\(FilledBoard.value(number))".utf8), to: &out)
        append(FilledBoard.player(number).bytes, to: &out)
      }
      if out.count > 1 << 20 { flush(&out) }
    }
    flush(&out)
  }

  private static func append(_ argument: [UInt8], to out: inout [UInt8]) {
    append("$\(argument.count)\r\n", to: &out)
    out += argument
    append("\r\n", to: &out)
  }

  private static func append(_ text: String, to out: inout [UInt8]) { out += Array(text.utf8) }

  private static func flush(_ out: inout [UInt8]) {
    var rest = out[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count <= 0 { FillMain.end("nobody reads any more", 1) }
      rest = rest.dropFirst(count)
    }
    out.removeAll(keepingCapacity: true)
  }
}
