import Domain
import Operations
import Wire

/// What one player of a context may do many times in a row in its games, and what is left of it.
/// It stays with the context: the next game there goes on with it.
struct TurnBudget: Message, Hashable {
  var player = PlayerID()
  /// When each will be full, in milliseconds since 1970.
  var newsFullAt: Int64 = 0
  var forksFullAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("news_full_at", &newsFullAt)
    visit.field("forks_full_at", &forksFullAt)
  }
}

extension TurnGameRow {
  private static let newsRate = TokenBucket.Rate(
    burst: Int64(TurnLimits.newsMax), refillMilliseconds: TurnLimits.newsMilliseconds)
  private static let forksRate = TokenBucket.Rate(
    burst: Int64(TurnLimits.forksInRowMax), refillMilliseconds: TurnLimits.forkMilliseconds)
  /// A group has no more players at once; whoever comes when there is no room waits.
  private static let budgetsMax = 256

  /// Takes the events that a call puts into the streams of others, now and when what it begins is
  /// over, from the player's budget.
  mutating func takeNews(_ count: Int, of player: PlayerID, now: Int64) throws(Stop) {
    try take(count, at: Self.newsRate, \.newsFullAt, of: player, now) {
      .rateLimited("You have told the other players many things.", $0)
    }
  }

  /// Who only watches may fork less often than who plays.
  mutating func takeFork(of player: PlayerID, now: Int64) throws(Stop) {
    let count = seat(of: player) == nil ? TurnLimits.forksInRowMax : 1
    try take(count, at: Self.forksRate, \.forksFullAt, of: player, now) {
      .rateLimited("You have forked this game often.", $0)
    }
  }

  private mutating func take(
    _ count: Int, at rate: TokenBucket.Rate, _ fullAt: WritableKeyPath<TurnBudget, Int64>,
    of player: PlayerID, _ now: Int64, _ refusal: (UInt32) -> Stop
  ) throws(Stop) {
    budgets.removeAll { $0.newsFullAt <= now && $0.forksFullAt <= now }
    var budget = TurnBudget()
    budget.player = player
    let index = budgets.firstIndex { $0.player == player }
    if let index { budget = budgets[index] }
    if index == nil && budgets.count >= Self.budgetsMax {
      throw refusal(UInt32(clamping: Int64(rate.refillMilliseconds)))
    }
    var bucket = TokenBucket(fullAt: budget[keyPath: fullAt])
    if let wait = bucket.take(count, at: rate, now: now) { throw refusal(wait) }
    budget[keyPath: fullAt] = bucket.fullAt
    if let index { budgets[index] = budget } else { budgets.append(budget) }
  }
}
