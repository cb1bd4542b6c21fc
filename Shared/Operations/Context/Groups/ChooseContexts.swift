public import Wire

/// Sent by a player: returns those of the caller's contexts in this game that the filter and the
/// bounds let through, the most recently active first. It looks at no more than 1,000 contexts: a
/// page may have fewer contexts than asked for, or none, and a cursor all the same.
///
/// What the caller's list says decides, which may be a moment behind. See `ChooseFilter` for what
/// each filter means.
///
/// Errors, in this order: `invalidArgument` (filter) for an unknown one, `requiredArgument`
/// (minParticipants) when it is greater than `maxParticipants` and this is not 0, `invalidArgument`
/// (limit) outside 1...100, `invalidArgument` (cursor) for a text that is not of this list. Changes
/// nothing; costs O(log n + contexts looked at).
public struct ChooseContexts: Operation {
  public static let opcode = Opcode(.context, 0x23)
  public static var isReadOnly: Bool { true }
  public var filter = ChooseFilter()
  public var minParticipants: UInt32 = 0
  /// 0 for no upper bound.
  public var maxParticipants: UInt32 = 0
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("filter", &filter)
    visit.field("minParticipants", &minParticipants)
    visit.field("maxParticipants", &maxParticipants)
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    if !filter.isKnown {
      return Failure(.invalidArgument, argument: "filter", "There is no such filter.")
    }
    if maxParticipants != 0 && minParticipants > maxParticipants {
      return Failure(
        .requiredArgument, argument: "minParticipants",
        "minParticipants is greater than maxParticipants.")
    }
    return nil
  }

  /// A page of summaries, as with `ListContexts`.
  public struct Reply: Message {
    public var contexts: [ContextInfo] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("contexts", &contexts)
      visit.field("cursor", &cursor)
    }
  }
}
