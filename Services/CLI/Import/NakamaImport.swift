import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Brings what Nakama knew of its users: players with their identities, friends and blocks, boards
/// and scores. Each step looks first at what is there, so that a second run changes nothing, and
/// one that was killed is gone on with.
struct NakamaImport {
  private let export: NakamaExport
  private let provider: String
  private let map: PlayerMap
  private(set) var counts = Counts()
  /// What was not brought, and why.
  private(set) var leftOut: [LeftOut] = []
  /// Users who are noted as players who are not here.
  private var gone: Set<String> = []
  /// Whether none of the noted players is here, so that all are brought again.
  private(set) var beganAnew = false

  struct Counts {
    var players = 0
    var identities = 0
    var friends = 0
    var blocks = 0
    var boards = 0
    var scores = 0
    var unchanged = 0
  }

  struct LeftOut {
    var kind: String
    var name: String
    var reason: String
  }

  /// Calls that are open at once: enough to keep every process busy, and a share of what a gateway
  /// takes of one client.
  private static let openCalls = 32

  init(_ export: NakamaExport, provider: String, map: PlayerMap) {
    self.export = export
    self.provider = provider
    self.map = map
  }

  // MARK: Players

  /// - Parameter client: the operator's.
  mutating func bringPlayers(by client: MusterClient) async throws {
    try await lookForNoted(by: client)
    let new = export.users.filter { map.players[$0.id] == nil && !gone.contains($0.id) }
    counts.unchanged += export.users.count - new.count - gone.count
    for users in new.chunks(of: Self.openCalls) {
      let provider = provider
      let replies = try await outcomes(users) { user in
        var operation = ImportPlayer()
        (operation.provider, operation.subject) = (provider, user.id)
        operation.displayName = user.name
        return try await client.call(operation)
      }
      var found: [(user: NakamaExport.User, player: PlayerID)] = []
      for (user, reply) in zip(users, replies) {
        guard let reply = taken(reply, "user", user.id) else { continue }
        if reply.isNew { counts.players += 1 } else { counts.unchanged += 1 }
        found.append((user, reply.player))
      }
      try await bringIdentities(of: found, by: client)
      // Of a user who is noted, nothing is brought again.
      try map.note(found.map { ($0.user.id, $0.player) })
    }
  }

  /// Looks whether the players are here whom an earlier run has noted. Where none is, that run was
  /// with another deployment, or with what this one was before it was restored: all are brought
  /// again. One who alone is not here was erased, and does not come back.
  private mutating func lookForNoted(by client: MusterClient) async throws {
    let noted = export.users.compactMap { user in map.players[user.id].map { (user.id, $0) } }
    for noted in noted.chunks(of: Self.openCalls) {
      let replies = try await outcomes(noted) { _, player in
        var operation = GetProfile()
        operation.player = player
        return try await client.call(operation)
      }
      for ((user, _), reply) in zip(noted, replies) {
        switch reply {
        case .success: break
        case .failure(let error) where error.code == .notReachable: gone.insert(user)
        case .failure(let error): throw error
        }
      }
    }
    if !gone.isEmpty && gone.count == noted.count {
      try map.startAnew()
      (gone, beganAnew) = ([], true)
    }
    map.forget(gone)
    for user in gone.sorted() { leave("user", user, Self.goneReason) }
  }

  private static let goneReason =
    "is in players.csv as a player who is not here any more; without that line the user comes again"

  private mutating func bringIdentities(
    of found: [(user: NakamaExport.User, player: PlayerID)], by client: MusterClient
  ) async throws {
    let calls = found.flatMap { user, player in
      user.identities.map { provider, subject in
        var operation = ImportPlayer()
        (operation.provider, operation.subject) = (provider, subject)
        operation.player = player
        return operation
      }
    }
    for calls in calls.chunks(of: Self.openCalls) {
      let replies = try await outcomes(calls) { try await client.call($0) }
      for (call, reply) in zip(calls, replies)
      where taken(reply, "identity", "\(call.provider) \(call.subject)") != nil {
        counts.identities += 1
      }
    }
  }

  // MARK: Friends

  /// - Parameter client: the operator's.
  mutating func bringFriends(by client: MusterClient) async throws {
    var brought: [PlayerID: [PlayerID: ImportedFriend]] = [:]
    for edge in export.edges {
      guard let source = player(edge.source, "edge"), let target = player(edge.target, "edge")
      else { continue }
      // Both sides of a friendship say so. One call is about both, at the lesser id.
      let owner = edge.isBlock ? source : min(source, target)
      let other = owner == source ? target : source
      var friend = ImportedFriend(other, since: edge.updated, isBlocked: edge.isBlock)
      if let former = brought[owner]?[other] {
        friend.isBlocked = friend.isBlocked || former.isBlocked
        friend.since = max(friend.since, former.since)
      }
      brought[owner, default: [:]][other] = friend
    }
    let calls = brought.sorted { $0.key < $1.key }.flatMap { owner, friends in
      friends.values.sorted { $0.player < $1.player }.chunks(of: FriendLimits.importMax)
        .map { ImportFriends(of: owner, Array($0)) }
    }
    for calls in calls.chunks(of: Self.openCalls) {
      let replies = try await outcomes(calls) { try await client.call($0) }
      for (call, reply) in zip(calls, replies) {
        guard let reply = taken(reply, "friends", "\(call.player)") else { continue }
        for (friend, outcome) in zip(call.friends, reply.outcomes) {
          count(friend, outcome, of: call.player)
        }
      }
    }
  }

  private mutating func count(
    _ friend: ImportedFriend, _ outcome: FriendInvitationOutcome, of player: PlayerID
  ) {
    switch outcome.state {
    case .friends: counts.friends += 1
    case .blocked where friend.isBlocked: counts.blocks += 1
    default:
      let reason = outcome.refusal.map { "\($0)" } ?? "has ended here since"
      leftOut.append(LeftOut(kind: "friend", name: "\(player) \(friend.player)", reason: reason))
    }
  }

  // MARK: Boards

  /// Declares the boards that are not there, and returns the definitions of all to which scores
  /// can come.
  ///
  /// - Parameter client: the operator's.
  mutating func bringBoards(by client: MusterClient) async throws -> [LeaderboardDefinition] {
    var definitions: [LeaderboardDefinition] = []
    for board in export.boards {
      var describe = DescribeLeaderboard()
      describe.board = board.id
      switch try await outcome(of: describe, by: client) {
      case .success(let reply):
        if let difference = difference(board, reply.definition) {
          leave("board", board.id, "is declared here with another \(difference)")
        } else {
          definitions.append(reply.definition)
        }
      case .failure(let error) where error.code == .notFound:
        if try await declare(board, by: client) { definitions.append(board.definition) }
      case .failure(let error): leave("board", board.id, error.text)
      }
    }
    return definitions
  }

  private mutating func declare(_ board: NakamaBoard, by client: MusterClient) async throws
    -> Bool
  {
    if board.recurs {
      leave("board", board.id, "recurs: declare it by `muster apply`, and run this again")
      return false
    }
    var define = DefineLeaderboard()
    define.definition = board.definition
    guard taken(try await outcome(of: define, by: client), "board", board.id) != nil else {
      return false
    }
    counts.boards += 1
    return true
  }

  private func difference(_ board: NakamaBoard, _ found: LeaderboardDefinition) -> String? {
    if board.sortOrder != found.sortOrder { return "sort order" }
    return board.aggregation == found.aggregation ? nil : "aggregation"
  }

  // MARK: Scores

  /// - Parameter client: that of the game's own server.
  mutating func bringScores(
    to definitions: [LeaderboardDefinition], by client: MusterClient
  ) async throws {
    let boards = Dictionary(uniqueKeysWithValues: definitions.map { ($0.board, $0) })
    for (board, records) in Dictionary(grouping: export.records, by: \.board)
      .sorted(by: { $0.key < $1.key })
    {
      guard let definition = boards[board] else {
        leave("scores", board, "\(records.count) scores of a board that is not here")
        continue
      }
      var scores: [Score] = []
      for record in records {
        guard let player = player(record.owner, "score") else { continue }
        scores.append(Score(player: player, record: record))
      }
      // Among equal scores Nakama ranks by the second one; here the first who comes is first.
      let order = definition.sortOrder
      scores.sort {
        if $0.record.subscore != $1.record.subscore {
          return order.isBetter($0.record.subscore, than: $1.record.subscore)
        }
        return ($0.record.updated, $0.player) < ($1.record.updated, $1.player)
      }
      try await bring(scores, to: definition, by: client)
    }
  }

  private struct Score {
    var player: PlayerID
    var record: NakamaExport.Record
  }

  private mutating func bring(
    _ scores: [Score], to board: LeaderboardDefinition, by client: MusterClient
  ) async throws {
    for page in scores.chunks(of: Self.lookedUp) {
      let entries = try await entries(of: page.map(\.player), on: board.board, by: client)
      let new = page.filter { score in
        guard let value = entries[score.player] else { return true }
        return board.aggregation == .best
          && board.sortOrder.isBetter(score.record.score, than: value)
      }
      counts.unchanged += page.count - new.count
      for group in Self.groups(new) {
        let replies = try await outcomes(group) { score in
          var submit = SubmitScore()
          (submit.board, submit.player) = (board.board, score.player)
          submit.value = score.record.score
          submit.scoreTag = UInt64(clamping: score.record.subscore)
          submit.eligibility = .listed
          return try await client.call(submit)
        }
        for (score, reply) in zip(group, replies)
        where taken(reply, "score", "\(board.board) \(score.record.owner)") != nil {
          counts.scores += 1
        }
      }
    }
  }

  /// Players of one question about entries.
  private static let lookedUp = 100

  private func entries(of players: [PlayerID], on board: String, by client: MusterClient)
    async throws -> [PlayerID: Int64]
  {
    var top = TopScores()
    (top.board, top.scope, top.players) = (board, .players, players)
    top.count = UInt32(Self.lookedUp)
    let page = try await client.call(top)
    return Dictionary(page.entries.map { ($0.player, $0.value) }) { first, _ in first }
  }

  /// Scores that may come in any order are submitted side by side; one equal to another waits for
  /// that one.
  private static func groups(_ scores: [Score]) -> [[Score]] {
    var groups: [[Score]] = []
    var values: Set<Int64> = []
    for score in scores {
      if groups.isEmpty || groups[groups.count - 1].count == openCalls
        || values.contains(score.record.score)
      {
        groups.append([])
        values = []
      }
      values.insert(score.record.score)
      groups[groups.count - 1].append(score)
    }
    return groups
  }

  // MARK: Outcomes

  private mutating func player(_ user: String, _ kind: String) -> PlayerID? {
    if let player = map.players[user] { return player }
    leave(kind, user, gone.contains(user) ? Self.goneReason : "there is no such user in users.csv")
    return nil
  }

  private mutating func taken<Reply>(
    _ result: Result<Reply, MusterError>, _ kind: String, _ name: String
  ) -> Reply? {
    switch result {
    case .success(let reply): return reply
    case .failure(let error):
      leave(kind, name, error.text)
      return nil
    }
  }

  private mutating func leave(_ kind: String, _ name: String, _ reason: String) {
    leftOut.append(LeftOut(kind: kind, name: name, reason: reason))
  }

  /// Makes calls side by side; the results are in the order of the items. What is refused is told;
  /// what may succeed later ends the import, which is then run again.
  private func outcomes<Item: Sendable, Reply: Sendable>(
    _ items: some Collection<Item>, _ call: @escaping @Sendable (Item) async throws -> Reply
  ) async throws -> [Result<Reply, MusterError>] {
    try await withThrowingTaskGroup(of: (Int, Result<Reply, MusterError>).self) { group in
      for (place, item) in items.enumerated() {
        group.addTask {
          do {
            return (place, .success(try await call(item)))
          } catch let error as MusterError where !Self.endsAll(error) {
            return (place, .failure(error))
          }
        }
      }
      var results: [Int: Result<Reply, MusterError>] = [:]
      for try await (place, result) in group { results[place] = result }
      return (0..<items.count).compactMap { results[$0] }
    }
  }

  private func outcome<O: MusterKit.Operation>(of operation: O, by client: MusterClient)
    async throws -> Result<O.Reply, MusterError>
  {
    do throws(MusterError) {
      return .success(try await client.call(operation))
    } catch {
      if Self.endsAll(error) { throw error }
      return .failure(error)
    }
  }

  private static func endsAll(_ error: MusterError) -> Bool {
    error.isOutcomeUnknown || error.code.isTransient
  }
}

extension Array {
  fileprivate func chunks(of count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
  }
}
