import Wire

extension AuditRow {
  /// What is left of the line when a player is erased whom it names: who did what, and when, to
  /// somebody who cannot be told any more.
  func rest(of erasure: Erasure, _ route: Route?) -> AuditRow {
    var rest = self
    rest.subject = erasure.renamed(subject)
    rest.routingKey = erasure.renamed(routingKey)
    rest.body = Bytes(erasure.rest(ofRecord: body.array, route?.shape))
    // By it one could check what the body does not say any more.
    rest.bodyHash = 0
    // The call may have gone to the key of an identity, which is a hash of it.
    if route?.routing == .firstIdentifier, Self.firstIdentifier(of: body) == routingKey,
      let key = Self.firstIdentifier(of: rest.body)
    {
      rest.routingKey = key
      rest.subject = key.description
    }
    return rest
  }

  private static func firstIdentifier(of body: Bytes) -> RoutingKey? {
    RoutingKey(bytes: Array(body.array.prefix(16)))
  }
}

extension Erasure {
  /// What is left of a message that was carried out, and from which nothing follows any more: it
  /// loses hashes of identities too. At least the ids in it are replaced.
  func rest(ofRecord message: [UInt8], _ shape: Shape?) -> [UInt8] {
    shape.flatMap { MessageEraser(self, isRecord: true).rest(of: message, $0) } ?? renamed(message)
  }
}
