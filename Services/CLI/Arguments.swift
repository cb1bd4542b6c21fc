import Spelling

/// The command line after the command's name: options, flags and plain words.
struct Arguments {
  private var options: [String: [String]] = [:]
  private(set) var words: [String] = []

  /// - Parameters:
  ///   - flags: names that take no value.
  ///   - known: every name that may stand there, flags too.
  init(_ arguments: ArraySlice<String>, flags: Set<String>, known: Set<String>) throws(UsageError) {
    var rest = arguments
    var areOptionsOver = false
    while let argument = rest.popFirst() {
      if areOptionsOver || !argument.hasPrefix("--") {
        words.append(argument)
        continue
      }
      if argument == "--" {
        areOptionsOver = true
        continue
      }
      let body = argument.dropFirst(2)
      let name = String(body.prefix { $0 != "=" })
      guard known.contains(name) else {
        let meant = Nearest.to(name, among: known.sorted())
        throw UsageError(
          "This command has no option --\(name)."
            + (meant.map { " Did you mean --\($0)?" } ?? ""))
      }
      if flags.contains(name) {
        if body.contains("=") { throw UsageError("--\(name) takes no value.") }
        options[name, default: []].append("true")
      } else if let equals = body.firstIndex(of: "=") {
        options[name, default: []].append(String(body[body.index(after: equals)...]))
      } else if let value = rest.popFirst() {
        options[name, default: []].append(value)
      } else {
        throw UsageError("--\(name) needs a value.")
      }
    }
  }

  subscript(name: String) -> String? { options[name]?.last }
  func all(_ name: String) -> [String] { options[name] ?? [] }
  func has(_ name: String) -> Bool { options[name] != nil }
}

/// What is wrong with a command line. The exit code is 64.
struct UsageError: Error {
  var text: String
  /// Whether the text says all: the line is written as it should be, and something that it needs
  /// is not here. Otherwise the command's usage is printed with it.
  var isSettled: Bool

  init(_ text: String, isSettled: Bool = false) {
    self.text = text
    self.isSettled = isSettled
  }

  /// Something that a well-written line needs is not here, such as a file or a credential.
  static func missing(_ text: String) -> Self { Self(text, isSettled: true) }
}
