import Wire

/// Finds the key of a call from as little of its body as that takes.
enum CallRouting {
  /// - Returns: the key, and the names that a pair's context may have, of which the key is the
  ///   first; nil where it has one alone.
  static func key(
    _ routing: Routing, operation: RawSpan, principal: Principal, idempotency: IdempotencyKey,
    keyring: Keyring, names: inout NameKeys
  ) throws(Failure) -> (key: RoutingKey, pair: PairNames?) {
    switch routing {
    case .principal:
      return (RoutingKey(reinterpreting: principal.player), nil)
    case .firstIdentifier:
      return (try firstIdentifier(operation), nil)
    case .firstName:
      guard let name = RoutingKey.firstName(in: operation) else {
        throw Failure(.malformed, "The body does not begin with a name.")
      }
      return (names.key(game: principal.game, name: operation.extracting(name)), nil)
    case .pair:
      let other = PlayerID(reinterpreting: try firstIdentifier(operation))
      let pair = keyring.pairNames(game: principal.game, principal.player, other)
      return (pair.name.key, pair.count > 1 ? pair : nil)
    case .fresh:
      return (keyring.fresh(idempotency), nil)
    case .game:
      return (RoutingKey(game: principal.game), nil)
    }
  }

  private static func firstIdentifier(_ operation: RawSpan) throws(Failure) -> RoutingKey {
    guard case .success(let key) = Reader.read(operation, { RoutingKey.decode(from: &$0) }) else {
      throw Failure(.malformed, "The body does not begin with an identifier.")
    }
    return key
  }
}
