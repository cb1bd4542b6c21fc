package import Foundation
package import Stack

/// A folder with a leaderboard service's store in which boards are filled, and what runs on it.
package struct FilledStack {
  package static let service = "leaderboard/1"
  package static let board = "bench"

  package struct Board: Sendable {
    package var name: String
    package var players: Int
    package init(_ name: String = FilledStack.board, players: Int) {
      self.name = name
      self.players = players
    }
  }

  package let folder: URL

  package init(_ boards: [Board], keepsAttempts: Bool = false, tell: (String) -> Void)
    async throws
  {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-filled-\(UUID().uuidString)")
    let began = ContinuousClock.now
    do {
      try await Commands.run(
        Binaries.url("bench-fill").path,
        [keepsAttempts ? "attempts" : "store", store.path, Stack.game]
          + boards.flatMap { [$0.name, "\($0.players)"] })
    } catch {
      remove()
      throw error
    }
    let players = boards.reduce(0) { $0 + $1.players }
    tell("  \(players) players written in \(ContinuousClock.now - began)")
  }

  package var store: URL { folder.appendingPathComponent("leaderboard") }
  package var tables: URL { store.appendingPathComponent("leaderboard.tables.sqlite") }

  package func remove() { try? FileManager.default.removeItem(at: folder) }

  /// A deployment whose leaderboard service has this store, or a copy of it.
  package func stack(store copy: URL? = nil, flags: [String: [String]] = [:]) throws -> Stack {
    var options = Stack.Options()
    options.flags = flags
    options.dataDirectories[Self.service] = (copy ?? store).path
    return try Stack(options)
  }
}
