import Wire

/// Finds the key of a call from as little of its body as that takes.
enum CallRouting {
  static func key(
    _ routing: Routing, operation: RawSpan, principal: Principal, idempotency: IdempotencyKey,
    keyring: Keyring, names: inout NameKeys
  ) throws(Failure) -> RoutingKey {
    switch routing {
    case .principal:
      return RoutingKey(reinterpreting: principal.player)
    case .firstIdentifier:
      return try firstIdentifier(operation)
    case .firstName:
      guard let name = RoutingKey.firstName(in: operation) else {
        throw Failure(.malformed, "The body does not begin with a name.")
      }
      return names.key(game: principal.game, name: operation.extracting(name))
    case .pair:
      let other = PlayerID(reinterpreting: try firstIdentifier(operation))
      return keyring.pair(game: principal.game, principal.player, other)
    case .fresh:
      return keyring.fresh(idempotency)
    case .game:
      return RoutingKey(game: principal.game)
    }
  }

  /// Returns the names that a call's pair context may have; nil where it has one alone.
  static func pairNames(
    operation: RawSpan, principal: Principal, keyring: Keyring
  ) throws(Failure) -> PairNames? {
    let other = PlayerID(reinterpreting: try firstIdentifier(operation))
    return keyring.pairNames(game: principal.game, principal.player, other)
  }

  private static func firstIdentifier(_ operation: RawSpan) throws(Failure) -> RoutingKey {
    guard case .success(let key) = Reader.read(operation, { RoutingKey.decode(from: &$0) }) else {
      throw Failure(.malformed, "The body does not begin with an identifier.")
    }
    return key
  }
}
