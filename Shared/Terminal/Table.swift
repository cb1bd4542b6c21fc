/// A table of texts, with a header and columns as wide as what is in them.
///
/// A table that is wider than the terminal first shortens its texts. What is then still too wide
/// is shown row by row, a line for each cell: an id that is cut short is of no use.
package struct Table: Sendable {
  package struct Column: Sendable {
    package enum Alignment: Sendable { case left, right }

    package var title: String
    package var alignment: Alignment
    /// Whether its texts may be shortened.
    package var isFlexible: Bool
    package var tone: Paint.Tone?

    package init(
      _ title: String, _ alignment: Alignment = .left, isFlexible: Bool = false,
      tone: Paint.Tone? = nil
    ) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible
      self.tone = tone
    }
  }

  package var columns: [Column]
  /// A cell for each column in each row. What would control a terminal is taken out.
  package var rows: [[String]]

  /// - Precondition: every row has as many cells as there are columns.
  package init(columns: [Column], rows: [[String]]) {
    precondition(rows.allSatisfy { $0.count == columns.count }, "a row has another size")
    self.columns = columns
    self.rows = rows.map { row in row.map(\.printable) }
  }

  private static let gap = "  "
  /// A text is not shortened further than this.
  private static let flexibleColumnsMin = 8

  /// - Parameter width: the columns of the terminal; nil for as many as it takes.
  package func lines(width: Int? = nil, paint: Paint = Paint(isOn: false)) -> [String] {
    guard let widths = widths(within: width ?? .max) else { return blocks(paint) }
    let header = line(columns.map(\.title), widths) { _, text in paint(.bold, text) }
    return [header]
      + rows.map { row in
        line(row, widths) { column, text in columns[column].tone.map { paint($0, text) } ?? text }
      }
  }

  /// Returns the columns' widths; nil when the table does not fit.
  private func widths(within width: Int) -> [Int]? {
    var widths = columns.indices.map { column in
      ([columns[column].title] + rows.map { $0[column] }).map { TextWidth.of($0) }.max() ?? 0
    }
    let gaps = Self.gap.count * max(0, columns.count - 1)
    var excess = widths.reduce(gaps, +) - width
    while excess > 0 {
      // The widest of those that can give way, a column of the terminal at a time.
      let wide = widths.indices.filter {
        columns[$0].isFlexible
          && widths[$0] > max(Self.flexibleColumnsMin, TextWidth.of(columns[$0].title))
      }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int], _ painted: (Int, String) -> String)
    -> String
  {
    var line = ""
    // What is not followed by a cell is not written: no line ends in spaces.
    var space = ""
    for (column, cell) in cells.enumerated() {
      let text = Self.shorten(cell, to: widths[column])
      let padding = String(repeating: " ", count: widths[column] - TextWidth.of(text))
      let isRight = columns[column].alignment == .right
      if isRight { space += padding }
      if !text.isEmpty {
        line += space + painted(column, text)
        space = ""
      }
      space += (isRight ? "" : padding) + Self.gap
    }
    return line
  }

  /// Returns the text, or as much of its beginning as there is room for and an ellipsis.
  package static func shorten(_ text: String, to width: Int) -> String {
    if TextWidth.of(text) <= width { return text }
    return TextWidth.prefix(of: text, columns: width - 1) + "…"
  }

  /// Every row as lines of `title  cell`, with an empty line between two rows.
  private func blocks(_ paint: Paint) -> [String] {
    let width = columns.map { TextWidth.of($0.title) }.max() ?? 0
    let blocks = rows.map { row in
      zip(columns, row).filter { !$1.isEmpty }.map { column, cell in
        let padding = String(repeating: " ", count: width - TextWidth.of(column.title))
        return paint(.bold, column.title) + padding + Self.gap + cell
      }
    }
    return Array(blocks.joined(separator: [""]))
  }
}
