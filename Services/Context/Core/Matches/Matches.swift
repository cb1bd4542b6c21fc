import Domain
import Operations
import Wire

/// The real-time matches of contexts. The roster, who plays and who has left, is kept; who is
/// connected, and on which connection, is in memory only and begins anew with the process.
final class Matches: CorePart {
  let contexts: Contexts
  var table = ResidentTable<MatchRow>()
  var live: LiveMatches

  init(contexts: Contexts, settings: SettingValues) {
    self.contexts = contexts
    live = LiveMatches(graceMilliseconds: settings[.matchGrace])
  }

  func register(_ router: inout Router) {
    router.on(JoinMatch.self, joinMatch)
    router.on(LeaveMatch.self, leaveMatch)
    router.on(AddMatchPlayers.self, addMatchPlayers)
    router.on(ChooseMatchHost.self, chooseMatchHost)
    router.on(SendMatchData.self, sendMatchData)
    router.on(AcknowledgeMatchData.self, acknowledgeMatchData)
    router.on(TellMatchReceipts.self, tellMatchReceipts)
    router.on(EndGraceStep.self, endGraceStep)
    router.on(ReviveMatch.self, reviveMatch)
  }

  func register(_ tables: inout Tables) {
    tables.resident(MatchRow.self) { self.table.load($0) }
  }

  func loaded(_ transaction: inout Transaction) {
    for match in table.rows.values where !match.isEnded {
      transaction.setTimer(ReviveMatch(), on: match.key, at: transaction.now, isKept: false)
    }
  }
}
