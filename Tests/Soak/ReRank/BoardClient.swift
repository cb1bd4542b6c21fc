import BenchPlayers
import BenchStack
import MusterKit
import Operations
import Stack

/// What the service says of a player.
struct Standing: Sendable {
  /// The player's, on a filled board.
  var number: Int
  var value: Int64
  var rank: Int
  /// On the board.
  var total: Int
}

/// The game's own server, which ranks a filled board anew, asks for everybody's rank and submits
/// for everybody. Its calls go on over the death of a service.
final class BoardClient: Sendable {
  private static let askedAtOnce = 64
  private let client: MusterClient
  private let board: String

  private init(_ client: MusterClient, board: String) {
    self.client = client
    self.board = board
  }

  static func connect(_ stack: Stack, board: String) async throws -> BoardClient {
    // Longer than the start of a service with the largest board.
    let configuration = MusterConfiguration(
      host: "127.0.0.1", port: stack.gatewayPort, game: Stack.game,
      trust: .authority(stack.authority), callDeadline: .seconds(180))
    let anOperator = MusterClient(configuration)
    try await anOperator.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    var fetch = GameServerCredential()
    fetch.game = Stack.game
    let credential = try await anOperator.call(fetch).credential
    await anOperator.close()
    let client = MusterClient(configuration)
    try await client.signInGameServer(game: Stack.game, credential: credential)
    return BoardClient(client, board: board)
  }

  func close() async { await client.close() }

  func reRank(to order: ScoreOrder, _ aggregation: ScoreAggregation?) async throws
    -> ReRankProgress
  {
    var operation = ReRankLeaderboard()
    operation.board = board
    operation.sortOrder = order
    operation.aggregation = aggregation
    guard let progress = try await client.call(operation).reRank else {
      throw BenchFailure("The board is ranked \(order) already.")
    }
    return progress
  }

  /// Of the re-rank that is under way, or the last one.
  func progress() async throws -> ReRankProgress? {
    var operation = DescribeLeaderboard()
    operation.board = board
    return try await client.call(operation).reRank
  }

  func submit(_ value: Int64, of number: Int) async throws {
    var operation = SubmitScore()
    operation.board = board
    operation.player = FilledBoard.player(number)
    operation.value = value
    _ = try await client.call(operation)
  }

  func standings(of numbers: [Int]) async throws -> [Standing] {
    try await withThrowingTaskGroup(of: [Standing].self) { group in
      for first in 0..<Self.askedAtOnce {
        group.addTask {
          var found: [Standing] = []
          for place in stride(from: first, to: numbers.count, by: Self.askedAtOnce) {
            found.append(try await self.standing(of: numbers[place]))
          }
          return found
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func standing(of number: Int) async throws -> Standing {
    var operation = RankOfPlayer()
    operation.board = board
    operation.player = FilledBoard.player(number)
    let reply = try await client.call(operation)
    guard let entry = reply.entry else { throw BenchFailure("Player \(number) has no entry.") }
    return Standing(
      number: number, value: entry.value, rank: Int(entry.rank), total: Int(reply.total))
  }
}
