public import Wire

/// An effect on a board that has it go on with its own work; nobody waits for a reply.
public protocol BoardStep: Operation where Reply == Empty {
  var boardKey: RoutingKey { get set }
}

extension BoardStep {
  @inlinable public static var access: Access { .service }
  @inlinable public static var routing: Routing { .firstIdentifier }

  public init(on boardKey: RoutingKey) {
    self.init()
    self.boardKey = boardKey
  }
}
