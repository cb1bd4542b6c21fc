public import Domain
import Operations
public import Wire

/// The context service's parts, each made with those that it uses.
///
/// A context's rows are keyed by the context, a player's list of contexts by the player; a handler
/// changes one of the two and asks for the other by an effect, even though both are here.
public final class ContextCore: ServiceCore {
  let matches: Matches
  public let settings: SettingValues
  /// Those that a part uses come before it.
  private let parts: [any CorePart]

  public static let declaredSettings: [NumberSetting] = [
    .matchGrace, .matchJoin, .closedContextLifetime, .contextInvitationBurst,
    .contextInvitationRefill, .contextSenderBurst, .contextSenderRefill, .contextRequestBurst,
    .contextRequestRefill, .contextChangeBurst, .contextChangeRefill, .matchInviteLifetime,
    .matchInviteBurst, .matchInviteRefill, .receivedInviteBurst, .receivedInviteRefill,
    .matchTicketBurst, .matchTicketRefill, .matchStartBurst, .matchStartRefill,
  ]

  public init(settings: SettingValues) {
    self.settings = settings
    let contexts = Contexts()
    matches = Matches(contexts: contexts, settings: settings)
    let turns = TurnGames(contexts: contexts)
    let invites = MatchInvites(settings: settings)
    let budgets = ContextBudgets(settings: settings)
    let closedPairs = ClosedPairs(contexts: contexts)
    parts = [
      contexts, closedPairs, ContextLists(settings: settings), matches, turns, TurnLists(),
      ContextReads(contexts: contexts, matches: matches),
      ContextEntrances(
        contexts: contexts, closedPairs: closedPairs, matches: matches,
        quietLifetime: settings[.closedContextLifetime]),
      budgets,
      ContextInvitations(contexts: contexts, matches: matches, budgets: budgets),
      ContextGroups(contexts: contexts, matches: matches, budgets: budgets),
      ContextDepartures(
        contexts: contexts, matches: matches, turns: turns,
        closedLifetime: settings[.closedContextLifetime]),
      Parties(contexts: contexts, matches: matches), PlayerTickets(), invites,
      Matchmaking(invites: invites, settings: settings),
      MatchSeats(contexts: contexts, matches: matches),
    ]
  }

  public static var service: Service { .context }
  public static var recordsExport: (any RecordsExport.Type)? { ExportContextRecords.self }
  public static var recordsErasure: (any RecordsErasure.Type)? { EraseContextRecords.self }

  public var router: Router {
    var router = Router()
    for part in parts { part.register(&router) }
    return router
  }

  public func shape(of opcode: Opcode) -> Shape? {
    router[opcode]?.shape ?? StreamEvents.shape(of: opcode)
  }

  public func register(_ tables: inout Tables) {
    for part in parts { part.register(&tables) }
  }

  public func loaded(_ transaction: inout Transaction) {
    for part in parts { part.loaded(&transaction) }
  }

  public func closed(_ channel: Channel, _ transaction: inout Transaction) {
    matches.disconnect(channel, &transaction)
  }
}
