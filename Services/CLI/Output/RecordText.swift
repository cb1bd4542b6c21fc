import MusterKit
import Terminal

/// Whatever has no table of its own, for people: a line for each field, and a table for a list of
/// objects.
struct RecordText {
  var reading = Reading()
  var paint = Paint(isOn: false)
  var width: Int?

  static func of(_ tree: Tree) -> String { Self().lines(tree).joined(separator: "\n") }

  func lines(_ tree: Tree) -> [String] { lines(tree, indent: "") }

  private func lines(_ tree: Tree, indent: String) -> [String] {
    switch tree {
    case .object(let members):
      if members.isEmpty { return [indent + "done"] }
      return members.flatMap { member -> [String] in
        let name = indent + paint(.bold, "\(member.name):")
        guard let text = plain(member) else {
          return [name] + lines(member.value, indent: indent + "  ")
        }
        return ["\(name) \(text)"]
      }
    case .list(let values):
      if let table = table(values) {
        let left = width.map { max(1, $0 - indent.count) }
        return table.lines(width: left, paint: paint).map { indent + $0 }
      }
      return values.flatMap { value -> [String] in
        if let text = plain(value) { return [indent + "- " + text] }
        return [indent + "-"] + lines(value, indent: indent + "  ")
      }
    default: return [indent + (plain(tree) ?? "")]
    }
  }

  /// Returns a list of objects with plain values as a table; nil for any other list.
  private func table(_ values: [Tree]) -> Table? {
    var columns: [String] = []
    var rows: [[String]] = []
    for value in values {
      guard case .object(let members) = value else { return nil }
      let cells = members.compactMap { plain($0) }
      let names = members.map(\.name)
      guard cells.count == members.count, rows.isEmpty || names == columns else { return nil }
      columns = names
      rows.append(cells)
    }
    return rows.isEmpty ? nil : Table(columns: columns.map { Table.Column($0) }, rows: rows)
  }

  private func plain(_ member: Tree.Member) -> String? {
    guard case .integer(let value) = member.value, value > 0, LocalDate.names.contains(member.name)
    else { return plain(member.value) }
    return LocalDate.text(value, .second)
  }

  private func plain(_ tree: Tree) -> String? {
    switch tree {
    case .null: "none"
    case .bool(let value): value ? "yes" : "no"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): plain(value)
    case .bytes(let value): value.isEmpty ? "empty" : Base64.text(value)
    case .list(let values): values.isEmpty ? "none" : nil
    case .object: nil
    }
  }

  /// A player's id has the name beside it, where the record has it nowhere else.
  private func plain(_ text: String) -> String {
    if text.isEmpty { return "\"\"" }
    guard let player = PlayerID(text), let name = reading.namesAskedFor[player], !name.isEmpty
    else { return text.printable }
    return "\(text) (\(name.printable))"
  }
}
