/// The contexts of entries, 0 for most: pieces of 1,024 entries are there only where one has another.
@safe
struct ContextColumn: ~Copyable {
  private static let perPiece = 1024
  private var pieces: [Piece?] = []

  @safe
  private struct Piece {
    let contexts: UnsafeMutablePointer<UInt64>
  }

  deinit {
    for piece in pieces { if let piece { unsafe piece.contexts.deallocate() } }
  }

  var bytes: Int { 8 * Self.perPiece * pieces.count { $0 != nil } }

  /// Gives memory back, at most so many large pages of it; nothing must be read again.
  mutating func giveBack(_ left: inout Int) {
    let perPage = Pages.pieceBytes / (8 * Self.perPiece)
    while left > 0 && !pieces.isEmpty {
      for piece in pieces.suffix(perPage) { if let piece { unsafe piece.contexts.deallocate() } }
      pieces.removeLast(min(perPage, pieces.count))
      left -= 1
    }
  }

  subscript(_ number: UInt32) -> UInt64 {
    let place = Int(number) / Self.perPiece
    guard place < pieces.count, let piece = pieces[place] else { return 0 }
    return unsafe piece.contexts[Int(number) % Self.perPiece]
  }

  mutating func set(_ number: UInt32, _ context: UInt64) {
    let place = Int(number) / Self.perPiece
    if place >= pieces.count || pieces[place] == nil {
      if context == 0 { return }
      while pieces.count <= place { pieces.append(nil) }
      let contexts = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.perPiece)
      unsafe contexts.initialize(repeating: 0, count: Self.perPiece)
      unsafe pieces[place] = Piece(contexts: contexts)
    }
    if let piece = pieces[place] {
      unsafe piece.contexts[Int(number) % Self.perPiece] = context
    }
  }
}
