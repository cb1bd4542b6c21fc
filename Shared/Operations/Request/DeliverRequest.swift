public import Wire

/// An effect of the request service: puts a request into the list of `player`, who is told by
/// `RequestReceived`. If it cannot be delivered, the sender is told by `RequestConcluded`.
///
/// Errors: none. Cost: two rows and one event, or one effect.
public struct DeliverRequest: Operation {
  public static let opcode = Opcode(.request, 0x21)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var request = ReceivedRequest()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("request", &request)
  }
}
