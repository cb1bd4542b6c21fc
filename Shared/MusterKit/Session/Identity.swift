/// Who a client signs in as, with the proof. The client keeps it to sign in again.
///
/// Operators and game servers choose a number at random for each session that the game begins, and
/// keep it over lost connections: the server knows their keys by it, as a player's by the token.
package enum Identity: Sendable, Equatable {
  case player(Credential)
  case deploymentOperator(secret: String, game: String, client: UInt64)
  case gameServer(game: String, credential: String, client: UInt64)

  package var kind: PrincipalKind {
    switch self {
    case .player: .player
    case .deploymentOperator: .deploymentOperator
    case .gameServer: .gameServer
    }
  }
}
