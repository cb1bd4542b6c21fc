public import Domain
import Operations
public import Wire

/// The rules of contexts and of what is played in them.
///
/// A context's rows are keyed by the context, a player's list of contexts by the player; a handler
/// changes one of the two and asks for the other by an effect, even though both are here. Matches
/// have two halves: the roster, who plays and who has left, is kept; who is connected, and on which
/// connection, is in memory only and begins anew with the process.
public final class ContextCore: ServiceCore {
  public static let service = Service.context

  public var router: Router {
    var router = Router()
    router.on(CreateSoloContext.self, createSolo)
    router.on(CreatePairContext.self, createPair)
    router.on(SwitchContext.self, switchContext)
    router.on(LeaveContext.self, leaveContext)
    router.on(GetContext.self, getContext)
    router.on(ListContexts.self, listContexts)
    router.on(CurrentContext.self, currentContext)
    router.on(RecordContext.self, recordContext)
    router.on(FetchParticipants.self, fetchParticipants)
    router.on(JoinMatch.self, joinMatch)
    router.on(LeaveMatch.self, leaveMatch)
    router.on(SendMatchData.self, sendMatchData)
    router.on(AcknowledgeMatchData.self, acknowledgeMatchData)
    router.on(EndGraceStep.self, endGraceStep)
    router.on(ReviveMatch.self, reviveMatch)
    return router
  }

  var contexts = ResidentTable<ContextRow>()
  var lists = PlayerContexts()
  var matches = ResidentTable<MatchRow>()
  var live: LiveMatches
  public let settings: SettingValues

  public static let declaredSettings: [NumberSetting] = [.matchGrace]

  public init(settings: SettingValues) {
    self.settings = settings
    live = LiveMatches(graceMilliseconds: settings[.matchGrace])
  }

  public func register(_ tables: inout Tables) {
    tables.resident(ContextRow.self) { self.contexts.load($0) }
    tables.resident(ContextListRow.self) { self.lists.load($0) }
    tables.resident(CurrentContextRow.self) { self.lists.load($0) }
    tables.resident(MatchRow.self) { self.matches.load($0) }
  }

  public func loaded(_ transaction: inout Transaction) {
    lists.sort()
    for match in matches.rows.values where !match.isEnded {
      transaction.setTimer(ReviveMatch(), on: match.key, at: transaction.now, isKept: false)
    }
  }

  public func closed(_ channel: Channel, _ transaction: inout Transaction) {
    disconnect(channel, &transaction)
  }
}

extension ContextCore {
  /// The context, when the caller is in it or invited to it. Unknown contexts, those of another
  /// game and those of other players are not told apart.
  func participant(_ id: ContextID, _ call: Call) throws(Stop) -> ContextRow {
    guard !id.isNil else { throw .requiredArgument("context", "A context must be named.") }
    guard let row = contexts[id], row.game == call.game, row.holds(call.player) else {
      throw .notFound("context", "You are in no context with this id.")
    }
    return row
  }
}
