/// Reads comma-separated values as PostgreSQL and RFC 4180 write them: a line of names, then a row
/// a line. A value with a comma, a quote or a line end stands between quotes, where a quote is
/// doubled.
struct CSVReader {
  struct Fault: Error, Equatable {
    /// The line on which the row begins, from 1.
    var line: Int
    var text: String
  }

  /// One row, by the names of the columns.
  struct Row {
    /// The line on which it begins, from 1.
    var line: Int
    fileprivate var values: [String]
    fileprivate var columns: [String: Int]

    /// The value of a column; empty where there is no such column.
    subscript(column: String) -> String { columns[column].map { values[$0] } ?? "" }
  }

  private var bytes: ArraySlice<UInt8>
  private var line = 1
  private var columns: [String: Int] = [:]

  /// - Parameter required: columns without which the text is of no use.
  init(_ bytes: [UInt8], required: [String]) throws(Fault) {
    self.bytes = bytes[...]
    // What some programs begin a text of UTF-8 with.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.bytes.removeFirst(3) }
    let names = try values() ?? []
    for (place, name) in names.enumerated() { columns[name] = place }
    for name in required where columns[name] == nil {
      throw Fault(line: 1, text: "there is no column \(name)")
    }
  }

  /// The next row; nil at the end.
  mutating func next() throws(Fault) -> Row? {
    let start = line
    guard let values = try values() else { return nil }
    guard values.count == columns.count else {
      throw Fault(
        line: start, text: "\(columns.count) values are expected, not \(values.count)")
    }
    return Row(line: start, values: values, columns: columns)
  }

  private mutating func values() throws(Fault) -> [String]? {
    if bytes.isEmpty { return nil }
    let start = line
    var values: [String] = []
    while true {
      values.append(try value(start))
      let end = bytes.popFirst()
      if end == UInt8(ascii: ",") { continue }
      if end == UInt8(ascii: "\r"), bytes.first == UInt8(ascii: "\n") { bytes.removeFirst() }
      line += 1
      return values
    }
  }

  /// The next value. What follows it is a comma, a line end or the end.
  private mutating func value(_ start: Int) throws(Fault) -> String {
    if bytes.first == UInt8(ascii: "\"") { return try quoted(start) }
    let value = bytes.prefix { ![UInt8(ascii: ","), 0x0A, 0x0D].contains($0) }
    if value.contains(UInt8(ascii: "\"")) {
      throw Fault(line: start, text: "there is a quote within a value that has none around it")
    }
    bytes.removeFirst(value.count)
    return try text(value, start)
  }

  private mutating func quoted(_ start: Int) throws(Fault) -> String {
    bytes.removeFirst()
    var value: [UInt8] = []
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte != UInt8(ascii: "\"") {
        value.append(byte)
      } else if bytes.first == UInt8(ascii: "\"") {
        value.append(bytes.removeFirst())
      } else {
        guard [nil, UInt8(ascii: ","), 0x0A, 0x0D].contains(bytes.first) else {
          throw Fault(line: start, text: "there is something behind the quote that ends a value")
        }
        return try text(value[...], start)
      }
    }
    throw Fault(line: start, text: "a quote is never closed")
  }

  private func text(_ value: ArraySlice<UInt8>, _ start: Int) throws(Fault) -> String {
    guard let text = String(validating: value, as: UTF8.self) else {
      throw Fault(line: start, text: "a value is not UTF-8")
    }
    return text
  }
}
