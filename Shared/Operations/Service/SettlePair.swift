public import Wire

/// Sent by the gateway to the context service while there are several keys that name the contexts
/// of pairs: says whether the context of a pair has this name. Where it has not, the name is
/// closed: `CreatePairContext` makes no context under it from now on.
///
/// Cost: one row where the name is closed for the first time, and a cold read once any is closed.
public struct SettlePair: Operation {
  public static let opcode = Opcode(.context, 0x3B)
  public static var access: Access { .gateway }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public init() {}
  /// - Parameter key: the name, as a gateway has derived it.
  public init(at key: RoutingKey) { context = ContextID(reinterpreting: key) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }

  public struct Reply: Message {
    public var isThere = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isThere", &isThere)
    }
  }
}
