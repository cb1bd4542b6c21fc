public import Wire

/// A set of boards as its developer declares it, field by field as in the file for `muster apply`.
public struct LeaderboardSetDefinition: Message, Hashable {
  public var set = ""
  public var title = ""
  /// The names of the boards, in the order in which players see them. A board may be in several
  /// sets, and may be declared after the set; until then players do not see it in the set.
  public var boards: [String] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("set", &set)
    visit.field("title", &title)
    visit.field("boards", &boards)
  }
}

extension LeaderboardSetDefinition {
  /// The first rule that the definition breaks, as far as the definition alone shows it; nil when
  /// there is none.
  public var fault: Failure? {
    if let fault = LeaderboardSetName.fault(of: set) { return fault }
    guard title.utf8.count <= LeaderboardLimits.titleBytesMax else {
      return Failure(
        .invalidArgument, argument: "title",
        "A title has at most \(LeaderboardLimits.titleBytesMax) bytes.")
    }
    return boardsFault
  }

  private var boardsFault: Failure? {
    guard !boards.isEmpty else {
      return Failure(.requiredArgument, argument: "boards", "The set has no boards.")
    }
    guard boards.count <= LeaderboardSetLimits.boardsPerSetMax else {
      return Failure(
        .limitReached, argument: "boards",
        "A set has at most \(LeaderboardSetLimits.boardsPerSetMax) boards.")
    }
    for board in boards {
      if let fault = LeaderboardName.fault(of: board) {
        return Failure(.invalidArgument, argument: "boards", fault.text)
      }
    }
    guard Set(boards).count == boards.count else {
      return Failure(.invalidArgument, argument: "boards", "The set names a board twice.")
    }
    return nil
  }
}

/// The rules for a set's name, which are those for a board's name.
public enum LeaderboardSetName {
  public static func fault(of name: String) -> Failure? {
    guard !name.isEmpty else {
      return Failure(.requiredArgument, argument: "set", "The set's name is missing.")
    }
    guard LeaderboardName.fault(of: name) == nil else {
      return Failure(
        .invalidArgument, argument: "set",
        "A set's name has 1 to \(LeaderboardLimits.boardNameBytesMax) letters (a to z, A to Z), "
          + "digits, dots, underscores or hyphens.")
    }
    return nil
  }
}

/// The limits of sets. Clients may check them first; the server always does. With these, a list
/// fits in one reply: a hundred names and titles are 30 KB.
public enum LeaderboardSetLimits {
  public static let perGameMax = 100
  public static let boardsPerSetMax = 100
}
