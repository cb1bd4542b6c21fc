/// The dialog in which a player chooses a context.
public struct ContextChoice: Sendable {
  /// The most recently active contexts first.
  public var contexts: DialogPages<ContextItem>

  public init(_ contexts: DialogPages<ContextItem>) { self.contexts = contexts }
}

/// A context to choose.
public struct ContextItem: Sendable, Hashable {
  public var identifier: String
  /// How many players are in it, the invited ones included.
  public var size: Int
  /// The names of some of the others in it.
  public var playerNames: [String]

  public init(identifier: String, size: Int, playerNames: [String] = []) {
    self.identifier = identifier
    self.size = size
    self.playerNames = playerNames
  }
}
