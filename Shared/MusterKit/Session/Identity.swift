/// Who a client is, with the proof of it; kept to sign in again.
enum Identity: Sendable, Equatable {
  case player(Credential)
  case deploymentOperator(secret: String, game: String)
  case gameServer(game: String, credential: String)

  var kind: PrincipalKind {
    switch self {
    case .player: .player
    case .deploymentOperator: .deploymentOperator
    case .gameServer: .gameServer
    }
  }
}
