public import Wire

/// Sent by an active player, out of turn: what the service is to play for the caller at once, if
/// the move before the caller's turn is as foreseen. Nobody else learns of it. The lines replace
/// those that were there; none takes them back.
///
/// When a move passes the turn to the caller, the lines stay whose first step expects that payload,
/// and the first of them says what is played. Lines that say the same go on with their next step;
/// all others are dropped. So are all lines by anything that changes the game otherwise.
///
/// Errors, in this order: `invalidArgument` (lines), `requiredArgument` (context), `notFound`
/// (context; number: no such game), `notAllowed` (no seat, or not active), `conflict` (version,
/// with a `TurnGameView` as with `MakeMove`), `matchEnded`, `conflict` (paused or not copied yet),
/// `notAllowed` (it is the caller's turn, or the game has sealed rounds), `invalidArgument` (lines:
/// a step with a `state` where more than two are in the game). Cost: a game row and a row with the
/// lines.
public struct SetConditionalMoves: Operation {
  public static let opcode = Opcode(.context, 0x4A)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  public var lines: [ConditionalLine] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("lines", &lines)
  }

  public var fault: Failure? {
    let steps = lines.flatMap(\.steps)
    let bytes = steps.reduce(0) {
      $0 + $1.expected.array.count + $1.payload.array.count + ($1.state?.array.count ?? 0)
    }
    let isRight =
      lines.count <= TurnLimits.conditionalLinesMax
      && lines.allSatisfy { (1...TurnLimits.conditionalStepsMax).contains($0.steps.count) }
      && bytes <= TurnLimits.conditionalBytesMax
      && steps.allSatisfy { $0.payload.array.count <= TurnLimits.payloadSizeMax }
    return isRight
      ? nil
      : Failure(
        .invalidArgument, argument: "lines",
        "There are at most \(TurnLimits.conditionalLinesMax) lines of 1 to "
          + "\(TurnLimits.conditionalStepsMax) moves, \(TurnLimits.conditionalBytesMax) bytes in "
          + "all.")
  }
}
