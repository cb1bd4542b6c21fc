/// Who a client signs in as, with the proof. The client keeps it to sign in again.
package enum Identity: Sendable, Equatable {
  case player(Credential)
  case deploymentOperator(secret: String, game: String)
  case gameServer(game: String, credential: String)

  package var kind: PrincipalKind {
    switch self {
    case .player: .player
    case .deploymentOperator: .deploymentOperator
    case .gameServer: .gameServer
    }
  }
}
