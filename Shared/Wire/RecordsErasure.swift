/// Sent by the request service to every slot of a service: nothing that the slot's process keeps is
/// about the player any more, a while later (rule 7.3).
///
/// A process begins with the first that it gets and takes the others for the same; slots, not
/// processes, so that each process gets one however many there are.
///
/// Cost: one pass over all rows, in small steps.
public protocol RecordsErasure: Operation where Reply == Empty {
  init()
  /// A key of the slot.
  var key: RoutingKey { get set }
  var player: PlayerID { get set }
  /// What takes the player's place in what belongs to others too.
  var standIn: PlayerID { get set }
}

extension RecordsErasure {
  public static var access: Access { .service }
  public static var isIdempotent: Bool { true }
  public static var routing: Routing { .firstIdentifier }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("player", &player)
    visit.field("standIn", &standIn)
  }

  public var fault: Failure? {
    if !player.isNil && !standIn.isNil { return nil }
    return Failure(.requiredArgument, argument: "player", "Who is erased?")
  }
}
