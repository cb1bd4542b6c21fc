import Wire

extension Cell {
  /// Whether a key comes before another one in SQLite: column by column, integers by their value,
  /// texts and bytes by their bytes.
  static func comeInOrder(_ left: [Cell], _ right: [Cell]) -> Bool {
    for (one, other) in zip(left, right) where one != other { return one.precedes(other) }
    return left.count < right.count
  }

  /// - Precondition: both are of one column of a key, which is neither optional nor a real number.
  private func precedes(_ other: Cell) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: preconditionFailure("cells of two columns are compared")
    }
  }
}
