import Operations

/// A piece of a reliable message.
struct MatchPiece: Sendable {
  var payload: [UInt8]
  /// Whether the message goes on in the next piece.
  var isPartial: Bool
  /// Whether the message began in an earlier piece.
  var isContinuation: Bool
  /// Counts the pieces of this client, whoever gets them.
  var id: UInt64 = 0

  /// What a piece counts in bounds of bytes.
  static let overheadSize = ContextLimits.matchPieceOverheadSize
  var cost: Int { payload.count + Self.overheadSize }
}

/// The pieces that one receiver has not acknowledged, in the order of their numbers. The bytes of a
/// piece are shared by the queues of all its receivers.
struct PieceQueue: Sendable {
  private var pieces: [MatchPiece] = []
  private var head = 0
  /// What all pieces cost.
  private(set) var cost = 0

  var count: Int { pieces.count - head }
  var isEmpty: Bool { count == 0 }
  subscript(index: Int) -> MatchPiece { pieces[head + index] }

  mutating func append(_ piece: MatchPiece) {
    pieces.append(piece)
    cost += piece.cost
  }

  mutating func removeFirst() -> MatchPiece {
    let piece = pieces[head]
    pieces[head].payload = []
    head += 1
    cost -= piece.cost
    // Half of the array is used up: the rest moves to the front, at a cost that the removals have
    // paid.
    if head * 2 >= pieces.count {
      pieces.removeFirst(head)
      head = 0
    }
    return piece
  }
}
