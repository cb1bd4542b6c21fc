/// The games that the request service has said are declared.
///
/// A yes holds for as long as the gateway runs: sign-ins to the game go on when the process that
/// owns its key is down. No call undeclares a game. A request store that is restored may lack one,
/// and gateways are restarted with a restore. A no is not kept, because an operator may declare the
/// game at any moment.
struct DeclaredGames {
  private var names: Set<String> = []

  var count: Int { names.count }

  func has(_ game: String) -> Bool { names.contains(game) }

  /// Remembers a game, in place of any other one where as many are known as are remembered.
  mutating func add(_ game: String) {
    if names.count >= GatewayLimits.declaredGamesMax, !names.contains(game) { names.removeFirst() }
    names.insert(game)
  }
}
