public import Wire

/// How far a store has forgotten a player. It does not say whom: the list of erased players does,
/// which is kept beside the store.
public struct ErasureRow: Row {
  public static let tableID: UInt16 = 9
  public static let tableName = "erasure"
  /// The first half of the SHA-256 of the player's id.
  public var key = RoutingKey()
  /// Milliseconds since 1970.
  public var began: Int64 = 0
  /// When nothing was found any more; 0 until then.
  public var ended: Int64 = 0
  /// When nothing was left in the store's files either; 0 until then.
  public var cleaned: Int64 = 0
  /// A bit for each service, by its number, that the deployment left out when it was to be told.
  public var untold: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("digest", &key)
    visit.field("began", &began)
    visit.field("ended", &ended)
    visit.field("cleaned", &cleaned)
    visit.field("untold", &untold)
  }
}

extension Erasure {
  /// See `ErasureRow.key`.
  package var digest: RoutingKey {
    var hash = SHA256()
    for byte in player.bytes { hash.add(byte) }
    let words = hash.finish()
    return RoutingKey(
      high: UInt64(words[0]) << 32 | UInt64(words[1]),
      low: UInt64(words[2]) << 32 | UInt64(words[3]))
  }
}

enum ErasureLimits {
  /// Rows that one step looks at: some 0.2 ms of work where none has to be rewritten, and a few
  /// milliseconds where all have. Others are served between two steps.
  static let rowsPerStep = 256
  /// Bytes of changes after which a step rewrites no more: an eighth of what a batch gathers.
  static let bytesPerStep = 1 << 20
  /// Effects after which a step rewrites no more: so many are applied with it.
  static let effectsPerStep = Engine.ownEffectsMax
  /// Effects that may be open when a further player is told of again, so that those of many players
  /// do not fill the outbox.
  static let openEffectsMax = 8 * Slot.count
  /// Between a pass that found something and the next one: effects that were under way arrive.
  static let againMilliseconds: Int64 = 1_000

  static func isFull(_ transaction: Transaction) -> Bool {
    transaction.gathered.bytes.count >= bytesPerStep
      || transaction.effects.count >= effectsPerStep
  }
}
