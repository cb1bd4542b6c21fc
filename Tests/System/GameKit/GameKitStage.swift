import GameKitCompat
import MusterKit
import Stack
import Testing

/// Anna, who plays by GameKit's interface on this process's local player, and her friends, who play
/// by MusterKit.
@MainActor
struct GameKitStage {
  let stack: Stack
  let anna: MusterClient
  let credential: Credential
  let friends: [(client: MusterClient, Credential)]
  /// The friends as GameKit has them, in the same order.
  let players: [GKPlayer]
  let heard: [EventReader]

  var ben: MusterClient { friends[0].client }
  var cleo: MusterClient { friends[1].client }
  var benHears: EventReader { heard[0] }
  var cleoHears: EventReader { heard[1] }

  func id(_ friend: Int) -> PlayerID { friends[friend].1.player }

  /// - Parameters:
  ///   - lifetime: the bytes after which Anna's connections are cut; nil for never.
  ///   - prepare: what is done before anybody signs up.
  static func run(
    _ options: Stack.Options = Stack.Options(), friends names: [String],
    cutAfter lifetime: ClosedRange<Int>? = nil,
    prepare: (Stack) async throws -> Void = { _ in },
    _ body: @MainActor (GameKitStage) async throws -> Void
  ) async throws {
    try await withStack(options) { stack in
      try await prepare(stack)
      let relay = try lifetime.map { lifetime in
        try CuttingRelay(to: stack.gatewayPort, seed: Seed.drawn(), lifetime: lifetime)
      }
      defer { relay?.stop() }
      let anna =
        if let relay { try await stack.player("Anna", through: relay) } else {
          try await stack.player("Anna")
        }
      var friends: [(client: MusterClient, Credential)] = []
      for name in names {
        friends.append(try await stack.player(name))
        try await befriend(anna, friends[friends.count - 1])
      }
      GameKit.configure(client: anna.client)
      let players = try await GKLocalPlayer.local.loadFriends()
      try await body(
        GameKitStage(
          stack: stack, anna: anna.client, credential: anna.1, friends: friends,
          players: try friends.map { friend in
            try #require(players.first { $0.playerID == friend.1.player.description })
          }, heard: friends.map { EventReader($0.client) }))
      if let relay { #expect(relay.cutCount > 0) }
      for client in [anna.client] + friends.map(\.client) { await client.close() }
    }
  }

  /// Kills the gateway, and starts it again while `body` goes on.
  func overKilledGateway<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await stack.kill("gateway")
    async let started: Void = stack.start("gateway")
    let value = try await body()
    try await started
    return value
  }
}

/// Texts of what a listener or a delegate was told, in order.
@MainActor
final class ToldTexts {
  private let told = AsyncStream.makeStream(of: String.self)
  private(set) var count = 0

  func tell(_ text: String) {
    count += 1
    told.continuation.yield(text)
  }

  func next() async -> String? { await told.stream.first() }

  /// So many texts that were told next.
  func next(_ count: Int) async -> [String?] {
    var texts: [String?] = []
    for _ in 0..<count { texts.append(await next()) }
    return texts
  }
}

/// The code of the error that a call of GameKit's interface throws; nil where it throws none.
@MainActor
func gameKitError(_ call: () async throws -> Void) async -> GKError.Code? {
  do {
    try await call()
    return nil
  } catch {
    return (error as? GKError)?.code
  }
}
