import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which player a user of another system has become: `players.csv` beside the files that were read,
/// which only grows while its players are here. Whoever looks up ids of that system elsewhere needs
/// it too.
final class PlayerMap {
  private(set) var players: [String: PlayerID] = [:]
  private let path: String
  private var descriptor: Int32

  /// Reads what an earlier run has noted. What that run was writing when it was killed counts for
  /// nothing: its players are asked for again, and are the same.
  init(_ path: String) throws {
    self.path = path
    descriptor = try Self.opened(path)
    let bytes = Array(FileManager.default.contents(atPath: path) ?? Data())
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
    if whole.count < bytes.count { ftruncate(descriptor, off_t(whole.count)) }
    if whole.isEmpty {
      try write(Self.header)
    } else {
      try read(Array(whole))
    }
  }

  private static let header = "user,player\n"

  private static func opened(_ path: String) throws(ResultFileError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { throw ResultFileError(path, errno) }
    return descriptor
  }

  private func read(_ bytes: [UInt8]) throws {
    do throws(CSVReader.Fault) {
      var reader = try CSVReader(bytes, required: ["user", "player"])
      while let row = try reader.next() {
        guard let player = PlayerID(row["player"]) else {
          throw .init(line: row.line, text: "\(row["player"]) is no player's id")
        }
        players[row["user"]] = player
      }
    } catch {
      throw UsageError.missing("\(path), line \(error.line): \(error.text).")
    }
  }

  deinit { close(descriptor) }

  /// Begins another file. The one so far, which is of another deployment, stays as
  /// `players.csv.before`.
  func startAnew() throws(ResultFileError) {
    guard unsafe rename(path, path + ".before") == 0 else { throw ResultFileError(path, errno) }
    close(descriptor)
    descriptor = -1
    players = [:]
    descriptor = try Self.opened(path)
    try write(Self.header)
  }

  /// Does as if these users were not noted; the file stays as it is.
  func forget(_ users: Set<String>) {
    for user in users { players[user] = nil }
  }

  func note(_ found: [(user: String, player: PlayerID)]) throws {
    for (user, player) in found { players[user] = player }
    try write(found.map { "\(CSVText.of($0.user)),\($0.player)\n" }.joined())
  }

  private func write(_ text: String) throws(ResultFileError) {
    try ResultFile.write(text, to: descriptor, path)
  }
}

/// Values as `CSVReader` reads them.
enum CSVText {
  static func of(_ value: String) -> String {
    guard value.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
      return value
    }
    return "\""
      + value.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
