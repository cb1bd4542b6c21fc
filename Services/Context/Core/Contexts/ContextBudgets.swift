package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let contextInvitationBurst = NumberSetting(
    "context-invitation-burst", .count, default: 100, 20...1_000_000,
    "Players whom one player may invite to one group in a row.")
  package static let contextInvitationRefill = NumberSetting(
    "context-invitation-refill-seconds", .seconds, default: 36, 1...86_400,
    "How long after a burst of invitations to a group a player may send one more.")
  package static let contextRequestBurst = NumberSetting(
    "context-request-burst", .count, default: 5, 1...1_000_000,
    "How often in a row a player may ask to be let into one group.")
  package static let contextRequestRefill = NumberSetting(
    "context-request-refill-seconds", .seconds, default: 720, 1...86_400,
    "How long after so many requests a player may ask once more.")
  package static let contextSenderBurst = NumberSetting(
    "context-sender-burst", .count, default: 200, 20...1_000_000,
    "Players whom one player may invite in a row to all groups of a game, new ones included.")
  package static let contextSenderRefill = NumberSetting(
    "context-sender-refill-seconds", .seconds, default: 36, 1...86_400,
    "How long after a burst of invitations to groups a player may send one more.")
  package static let contextChangeBurst = NumberSetting(
    "context-change-burst", .count, default: 60, 1...1_000_000,
    "How often in a row a player may join one group or change its roles and settings.")
  package static let contextChangeRefill = NumberSetting(
    "context-change-refill-seconds", .seconds, default: 20, 1...86_400,
    "How long after so many changes of a group a player may make one more.")
}

/// What one player may do in a row to one group, kept over restarts; and the rate of what the
/// player may do to all of them, which is kept with the player's list.
final class ContextBudgets: CorePart {
  let senderRate: TokenBucket.Rate
  private let rates: [ContextBudgetKey.Kind: TokenBucket.Rate]
  private var budgets = KeyedBudgetRows<ContextBudgetRow>()

  init(settings: SettingValues) {
    senderRate = settings.rate(.contextSenderBurst, refill: .contextSenderRefill)
    rates = [
      .invitations: settings.rate(.contextInvitationBurst, refill: .contextInvitationRefill),
      .requests: settings.rate(.contextRequestBurst, refill: .contextRequestRefill),
      .changes: settings.rate(.contextChangeBurst, refill: .contextChangeRefill),
    ]
  }

  func register(_ router: inout Router) {}

  func register(_ tables: inout Tables) {
    tables.resident(ContextBudgetRow.self) { self.budgets.load($0) }
    tables.erases(ContextBudgetRow.self) { (row, _, transaction) in
      self.budgets.erase(row.key, &transaction)
    }
  }

  /// Takes `count` pieces; or takes none and returns the milliseconds to wait.
  func take(
    _ count: Int, _ kind: ContextBudgetKey.Kind, of row: ContextRow, _ call: Call,
    _ transaction: inout Transaction
  ) -> UInt32? {
    let key = ContextBudgetKey(context: row.key, player: call.player, kind: kind.rawValue)
    let rate = rates[kind] ?? TokenBucket.Rate(perSecond: 1)
    return budgets.take(count, of: key, at: rate, &transaction)
  }

  /// Takes one change of which everybody in the group hears.
  func takeChange(of row: ContextRow, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    guard let wait = take(1, .changes, of: row, call, &transaction) else { return }
    throw .rateLimited("You have joined or changed this group often.", wait)
  }
}

/// A player's budget of invitations to all groups of a game. It is at the player's key, and a group
/// learns of it by a fact: what is taken at once in many groups is owed afterwards.
struct SenderBudget {
  /// In milliseconds since 1970.
  var fullAt: Int64

  /// Milliseconds until so many may be sent; nil for now.
  func wait(for count: Int, at rate: TokenBucket.Rate, now: Int64) -> UInt32? {
    let whole = rate.burst * rate.refillMilliseconds
    let over = Double(taking(count, at: rate, now: now).fullAt - now) - whole
    return over > 0 ? UInt32(clamping: Int64(over)) : nil
  }

  func taking(_ count: Int, at rate: TokenBucket.Rate, now: Int64) -> SenderBudget {
    SenderBudget(
      fullAt: max(fullAt, now) + Int64((Double(count) * rate.refillMilliseconds).rounded(.up)))
  }
}

extension Call {
  /// Refuses a caller who has invited many players lately, to whichever groups.
  func checkSender(
    ofInvitations count: Int, at rate: TokenBucket.Rate, _ transaction: borrowing Transaction
  ) throws(Stop) {
    let budget = SenderBudget(fullAt: try fact(FetchOpenedContexts.self).invitationsFullAt)
    guard count > 0, let wait = budget.wait(for: count, at: rate, now: transaction.now) else {
      return
    }
    throw .rateLimited("You have invited many players to groups.", wait)
  }
}
