public import Wire

/// Sent by a player: returns friends to whom a request may go, for a screen on which the player
/// chooses. The suggested ones come first, in their order, then the others in the order of their
/// ids, which stays the same. Those who block the caller and those who were erased are left out.
///
/// Errors: `invalidArgument` (recipientSuggestions: beside filters, or more than
/// `RequestLimits.suggestionsMax`; filters: not known; search: more than
/// `SelectorLimits.searchBytesMax` bytes; limit outside 1...`SelectorLimits.pageMax`; cursor that
/// is not of this list); `rateLimited` after many pages in a row.
/// Cost: a fact from each friend that it looks at, side by side: as many as the page may hold, and
/// `SelectorLimits.askedMax` where not all are shown. So a page may have fewer, or none, although
/// others follow: only the empty cursor ends the list.
public struct SelectRecipients: Operation {
  public static let opcode = Opcode(.request, 0x35)
  public static var isReadOnly: Bool { true }
  public var filters = RequestFilter()
  /// Who comes first; those who are no friends are left out. The same in each call for a page.
  public var recipientSuggestions: [PlayerID] = []
  /// A part of the display name or the alias, whatever its case; empty for any.
  public var search = ""
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit: UInt32 = 25
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("filters", &filters)
    visit.field("recipientSuggestions", &recipientSuggestions)
    visit.field("search", &search)
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    if filters != .none && !recipientSuggestions.isEmpty {
      return bad("recipientSuggestions", "Filters and suggestions exclude each other.")
    }
    if recipientSuggestions.count > RequestLimits.suggestionsMax {
      return bad(
        "recipientSuggestions",
        "recipientSuggestions has at most \(RequestLimits.suggestionsMax) players.")
    }
    if !filters.isKnown { return bad("filters", "The filter \(filters) is not known.") }
    if search.utf8.count > SelectorLimits.searchBytesMax {
      return bad("search", "search has at most \(SelectorLimits.searchBytesMax) bytes.")
    }
    if !(1...UInt32(SelectorLimits.pageMax)).contains(limit) {
      return bad("limit", "A page holds 1 to \(SelectorLimits.pageMax) players.")
    }
    return nil
  }

  private func bad(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }

  public struct Reply: Message {
    public var recipients: [RecipientChoice] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("recipients", &recipients)
      visit.field("cursor", &cursor)
    }
  }
}

/// A friend to whom a request may go.
public struct RecipientChoice: Message, Hashable {
  public var profile = Profile()
  /// Among the suggestions of the call.
  public var isSuggested = false
  /// The friend lets the caller send without a dialog, as far as the caller's key has heard.
  public var hasConsented = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("profile", &profile)
    visit.field("isSuggested", &isSuggested)
    visit.field("hasConsented", &hasConsented)
  }
}
