public import Wire

/// The period whose scores a query ranks.
///
/// On a recurring board it is one of the occurrences, and the time scope is `allTime`. On any other
/// board it is all time, or, if the board has windows, a rolling window that is exact to the
/// millisecond at which the query is answered.
///
/// After an owner has removed or released scores, the windows are brought up to date in steps. A
/// query waits for them. If more than 65,536 attempts are still to be looked at, it is refused
/// (`backpressure`, timeScope) and may be repeated after a second.
public struct ScorePeriod: Message, Hashable {
  public var timeScope = ScoreTimeScope()
  /// On a recurring board: 0 for the occurrence that is open or, in a gap, was open last; 1 for the
  /// one before it, and so on.
  public var occurrencesBack: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("timeScope", &timeScope)
    visit.field("occurrencesBack", &occurrencesBack)
  }
}

/// How far back attempts count.
public struct ScoreTimeScope: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let allTime = Self(rawValue: 0)
  /// The last 24 hours.
  public static let today = Self(rawValue: 1)
  /// The last 7 days.
  public static let week = Self(rawValue: 2)

  public static let names = ["allTime", "today", "week"]

  /// The length of the window in milliseconds; nil for all time.
  public var length: Int64? {
    switch self {
    case .today: 24 * 3600 * 1000
    case .week: 7 * 24 * 3600 * 1000
    default: nil
    }
  }
}
