public import Wire

extension Fact {
  /// A fact as a gateway would have fetched it.
  public init<O: Operation, K>(_ type: O.Type, at key: Identifier<K>, _ reply: O.Reply) {
    self.init(O.opcode, at: RoutingKey(reinterpreting: key), reply: reply.encoded)
  }
}
