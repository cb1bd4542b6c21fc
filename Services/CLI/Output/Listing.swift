import MusterKit
import Terminal

/// A reply that is a list. Its tables are declared once, in `Listings`; its JSON is the reply
/// itself, by the protocol's own field names.
protocol Listed: Message {
  static var listings: [Listing<Self>] { get }
  /// The lines below the tables.
  func notes(_ reading: Reading) -> [String]
}

extension Listed {
  /// Where the next page begins, and the fields that no table shows.
  func notes(_ reading: Reading) -> [String] { rest(reading) }

  func rest(_ reading: Reading) -> [String] {
    guard case .object(let members) = tree else { return [] }
    let shown = Set(Self.listings.map(\.field))
    return members.filter { !shown.contains($0.name) }.flatMap { member -> [String] in
      switch member.value {
      case .text(""), .null, .list([]): return []
      case .text(let cursor) where member.name == "cursor":
        return ["more: repeat the command with --cursor \(cursor)"]
      default: return RecordText(reading: reading).lines(.object([member]))
      }
    }
  }
}

/// How a list in a reply is shown.
struct Listing<Reply: Message> {
  /// The list's name in the reply.
  let field: String
  private let lines: (Reply, Reading, Int?, Paint) -> [String]

  /// - Parameters:
  ///   - empty: what is said where the list is empty; empty for nothing.
  ///   - rows: the list, or what a row of the table is about.
  init<Row>(
    _ field: String, empty: String, _ rows: @escaping (Reply) -> [Row], _ columns: [Column<Row>]
  ) {
    self.field = field
    lines = { reply, reading, width, paint in
      let rows = rows(reply)
      if rows.isEmpty { return empty.isEmpty ? [] : [empty] }
      return Self.table(rows, columns, reading).lines(width: width, paint: paint)
    }
  }

  func lines(_ reply: Reply, _ reading: Reading, width: Int?, paint: Paint) -> [String] {
    lines(reply, reading, width, paint)
  }

  /// A column in which nothing stands is left out.
  private static func table<Row>(
    _ rows: [Row], _ columns: [Column<Row>], _ reading: Reading
  ) -> Table {
    let cells = rows.map { row in columns.map { $0.cell(row, reading) } }
    let shown = columns.indices.filter { column in cells.contains { !$0[column].isEmpty } }
    return Table(
      columns: shown.map { columns[$0].column }, rows: cells.map { row in shown.map { row[$0] } })
  }
}

/// A column of a list: its title, and what stands in it for a row.
struct Column<Row> {
  let column: Table.Column
  let cell: (Row, Reading) -> String

  private init(_ column: Table.Column, _ cell: @escaping (Row, Reading) -> String) {
    self.column = column
    self.cell = cell
  }

  /// A text that may be shortened where there is little room.
  static func text(_ title: String, _ value: @escaping (Row) -> String) -> Self {
    Self(.init(title, isFlexible: true)) { row, _ in value(row) }
  }

  /// A word that is typed again, or the value of an enumeration: it is never shortened.
  static func word(_ title: String, _ value: @escaping (Row) -> String) -> Self {
    Self(.init(title)) { row, _ in value(row) }
  }

  /// The value of an enumeration; nothing for its `none`.
  static func state(_ title: String, _ value: @escaping (Row) -> some OpenEnum) -> Self {
    Self(.init(title)) { row, _ in
      let name = value(row).description
      return name == "none" ? "" : name
    }
  }

  static func number(_ title: String, _ value: @escaping (Row) -> (some BinaryInteger)?) -> Self {
    Self(.init(title, .right)) { row, _ in value(row).map { "\($0)" } ?? "" }
  }

  /// A date in milliseconds since 1970; nothing for nil and 0.
  static func date(_ title: String, _ value: @escaping (Row) -> Int64?) -> Self {
    Self(.init(title)) { row, _ in
      guard let date = value(row), date != 0 else { return "" }
      return LocalDate.text(date, .minute)
    }
  }

  static func flag(_ title: String, _ value: @escaping (Row) -> Bool) -> Self {
    Self(.init(title)) { row, _ in value(row) ? "yes" : "" }
  }

  static func name(_ title: String = "name", _ player: @escaping (Row) -> PlayerID) -> Self {
    Self(.init(title, isFlexible: true)) { row, reading in reading.name(player(row)) }
  }

  static func names(_ title: String, _ players: @escaping (Row) -> [PlayerID]) -> Self {
    Self(.init(title, isFlexible: true)) { row, reading in
      let others = players(row).filter { $0 != reading.reader }
      return others.isEmpty ? "" : reading.who(others)
    }
  }

  /// An id, which other commands take: it is never shortened.
  static func id<Kind>(_ title: String, _ value: @escaping (Row) -> Identifier<Kind>?) -> Self {
    Self(.init(title, tone: .dim)) { row, _ in
      guard let id = value(row), !id.isNil else { return "" }
      return id.description
    }
  }
}
