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
    .matchGrace, .matchInviteLifetime, .matchInviteBurst, .matchInviteRefill,
  ]

  public init(settings: SettingValues) {
    self.settings = settings
    let contexts = Contexts()
    matches = Matches(contexts: contexts, settings: settings)
    let invites = MatchInvites(settings: settings)
    parts = [
      contexts, ContextLists(), matches, ContextEntrances(contexts: contexts, matches: matches),
      Parties(contexts: contexts), PlayerTickets(), invites, Matchmaking(invites: invites),
      // No match takes more players yet.
      MatchSeats { _, _, _ in false },
    ]
  }

  public static var service: Service { .context }

  public var router: Router {
    var router = Router()
    for part in parts { part.register(&router) }
    return router
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
