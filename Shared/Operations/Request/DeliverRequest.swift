public import Wire

/// An effect of the request service: puts a request into the list of `player`, who is told by
/// `RequestReceived`. If it cannot be delivered, the sender is told by `RequestConcluded`. One that
/// is on the list already, since it came in another way, changes nothing.
///
/// Errors: none. Cost: two rows and one event, and one effect where it fails or is to be confirmed.
public struct DeliverRequest: Operation {
  public static let opcode = Opcode(.request, 0x21)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var request = ReceivedRequest()
  /// Whether the player has claimed the sender's invite token, and so need not be a friend.
  public var isInvited = false
  public var wantsReceipt = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("request", &request)
    visit.field("isInvited", &isInvited)
    visit.field("wantsReceipt", &wantsReceipt)
  }
}
