import BenchPlayers
import Operations
import Wire

/// Players who want a match of two: each asks for the next one as soon as it hears of the last, and
/// any two of them fit. Beside them wait tickets of players without a connection, who fit nobody.
final class TicketPlay {
  private static let playerGroup = "ranked"
  private static let property = "skill"
  /// Whose numbers are at most so far apart may be together.
  private static let tolerance: UInt32 = 50
  /// Between the numbers of two tickets that wait in vain.
  private static let gap: Int64 = 1_000
  private static let fillingMax = 256

  private struct Player {
    let client: LoadClient
    /// When the last ticket was asked for, in microseconds.
    var sentAt: UInt64 = 0
    var isAnswered = false
    var isFound = false
  }

  private var players: [Player]
  private var places: [PlayerID: Int] = [:]
  private let context: ContextCalls
  private let declarer: LoadClient
  /// When the last ticket of a match was asked for, by the match's context, until both have heard
  /// of it: the first may have asked for another by then.
  private var completedAt: [ContextID: UInt64] = [:]
  private var (filled, filling) = (0, 0)

  init(_ clients: [LoadClient], _ context: ContextCalls, declarer: LoadClient) {
    players = clients.map { Player(client: $0) }
    self.context = context
    self.declarer = declarer
  }

  // MARK: Tickets that wait

  func prepare(_ ready: @escaping () -> Void) {
    for (place, player) in players.enumerated() {
      places[player.client.player] = place
      player.client.onEvent = { [unowned self] in took($0, place) }
    }
    var define = DefineQueue()
    define.definition.playerGroup = Self.playerGroup
    define.definition.lifetimeSeconds = 3_600
    var rule = MatchRule()
    rule.property = Self.property
    rule.steps = [
      MatchRuleStep(after: 0, limit: Self.tolerance), MatchRuleStep(after: 900, limit: 400),
    ]
    define.definition.rules = [rule]
    declarer.callToChange(define) { [self] _ in fill(ready) }
  }

  private func fill(_ ready: @escaping () -> Void) {
    if filled == context.plan.waiting && filling == 0 { return ready() }
    while filling < Self.fillingMax, filled < context.plan.waiting {
      filling += 1
      filled += 1
      let operation = operation(skill: Int64(filled) * Self.gap)
      context.find(operation, for: FilledBoard.player(filled)) { [self] in
        filling -= 1
        fill(ready)
      }
    }
  }

  private func operation(skill: Int64) -> FindMatch {
    var operation = FindMatch()
    operation.playerGroup = Self.playerGroup
    operation.criteria.numbers = [TicketNumber(Self.property, skill)]
    return operation
  }

  // MARK: Tickets that are matched

  func begin() {
    for place in players.indices { find(place) }
  }

  private func find(_ place: Int) {
    let client = players[place].client
    guard client.report.isOpen else { return }
    players[place] = Player(client: client, sentAt: client.microseconds)
    // In the middle of those who wait, with nobody near.
    let skill = Int64(context.plan.waiting / 2) * Self.gap + Self.gap / 2
    client.change(operation(skill: skill)) { [self] reply in
      players[place].isAnswered = true
      if players[place].isFound { find(place) }
      return reply.ticket.isNil ? nil : reply.ticket.low
    }
  }

  /// The longest time that a player has waited up to now, in microseconds: whose ticket is never
  /// matched asks for no other, and would not be in any figure.
  var waited: UInt64 {
    players.filter { !$0.isFound && $0.sentAt > 0 }
      .map { $0.client.microseconds - $0.sentAt }.max() ?? 0
  }

  private func took(_ event: StreamEvent, _ place: Int) {
    guard event.kind == MatchFound.opcode.rawValue,
      let found = try? MatchFound(decoding: event.body.array)
    else { return }
    let start: UInt64
    if let known = completedAt.removeValue(forKey: found.context) {
      start = known
    } else {
      start = found.players.compactMap { places[$0].map { players[$0].sentAt } }.max() ?? 0
      completedAt[found.context] = start
    }
    let client = players[place].client
    client.report.heard(microseconds: client.microseconds - start)
    players[place].isFound = true
    if players[place].isAnswered { find(place) }
  }
}
