import KillRounds
import MusterKit
import Operations
import Stack
import Wire

extension Stack {
  /// So many new players, whose connections are cut.
  nonisolated func players(_ count: Int, through relay: CuttingRelay) async throws
    -> [(client: MusterClient, Credential)]
  {
    var players: [(client: MusterClient, Credential)] = []
    for number in 1...count {
      players.append(try await player("Player \(number)", through: relay))
    }
    return players
  }

  /// A group that all of them are in.
  nonisolated func group(of clients: [MusterClient]) async throws -> ContextID {
    var create = CreateGroupContext()
    create.policy = .open
    create.sizeMax = UInt32(max(2, clients.count))
    let context = try await clients[0].call(create).info.context
    for client in clients.dropFirst() {
      var join = JoinContext()
      join.context = context
      _ = try await client.call(join)
    }
    return context
  }

  /// Kills every process once, in an order and after pauses (milliseconds) that come from a seed,
  /// and starts it again at once.
  nonisolated func killEachOnce(seed: UInt64, pauses: ClosedRange<Int>) async throws {
    var random = SeededRandom(seed: seed)
    for name in names.shuffled(using: &random) {
      try await Moments.pause(.milliseconds(Int.random(in: pauses, using: &random)))
      try await kill(name)
      try await start(name)
    }
  }
}
