/// The score tags of entries. Most are 0: a piece of 1,024 entries exists only if one has another
/// tag.
@safe
struct ScoreTagColumn: ~Copyable {
  private static let perPiece = 1024
  private var pieces: [Piece?] = []

  @safe
  private struct Piece {
    let scoreTags: UnsafeMutablePointer<UInt64>
  }

  deinit {
    for piece in pieces { if let piece { unsafe piece.scoreTags.deallocate() } }
  }

  var bytes: Int { 8 * Self.perPiece * pieces.count { $0 != nil } }

  /// Gives back the memory of a column that is not read again, and counts large pages off `left`.
  mutating func giveBack(_ left: inout Int) {
    let perPage = Pages.pieceBytes / (8 * Self.perPiece)
    while left > 0 && !pieces.isEmpty {
      for piece in pieces.suffix(perPage) { if let piece { unsafe piece.scoreTags.deallocate() } }
      pieces.removeLast(min(perPage, pieces.count))
      left -= 1
    }
  }

  subscript(_ number: UInt32) -> UInt64 {
    let place = Int(number) / Self.perPiece
    guard place < pieces.count, let piece = pieces[place] else { return 0 }
    return unsafe piece.scoreTags[Int(number) % Self.perPiece]
  }

  mutating func set(_ number: UInt32, _ scoreTag: UInt64) {
    let place = Int(number) / Self.perPiece
    if place >= pieces.count || pieces[place] == nil {
      if scoreTag == 0 { return }
      while pieces.count <= place { pieces.append(nil) }
      let scoreTags = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.perPiece)
      unsafe scoreTags.initialize(repeating: 0, count: Self.perPiece)
      unsafe pieces[place] = Piece(scoreTags: scoreTags)
    }
    if let piece = pieces[place] {
      unsafe piece.scoreTags[Int(number) % Self.perPiece] = scoreTag
    }
  }
}
