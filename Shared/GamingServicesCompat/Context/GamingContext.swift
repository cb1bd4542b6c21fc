internal import MusterKit

/// One session of a game, solo or shared.
public final class GamingContext: Sendable {
  /// The context's token, never empty.
  public let identifier: String
  /// How many players are in it, the invited ones included.
  public let size: Int

  /// Returns nil for an empty identifier. A size below 0 becomes 0.
  public init?(identifier: String, size: Int) {
    if identifier.isEmpty { return nil }
    self.identifier = identifier
    self.size = max(size, 0)
  }

  init(_ info: ContextInfo) {
    identifier = info.context.description
    size = Int(info.size)
  }

  /// The context that the player is in; nil until the player has entered one. It changes when other
  /// players enter and leave, and when the player leaves or signs out. The context of a link by
  /// which the game was opened is current at once, with size 0 until it was loaded.
  public static var current: GamingContext? {
    LinkedContext.current ?? GamingServices.client?.currentContext.map { GamingContext($0) }
  }
}

extension GamingContext: Equatable {
  public static func == (left: GamingContext, right: GamingContext) -> Bool {
    left.identifier == right.identifier && left.size == right.size
  }
}
