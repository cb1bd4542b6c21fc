public import Foundation
import Wire

/// The repository's own sources, for what a shape cannot say: which messages there are, and what
/// their comments tell about them.
public struct Sources: Sendable {
  /// `///` lines by what they stand before: `SignUp`, `SignUp.Reply`, `SignUp.attempt`.
  public private(set) var comments: [String: [String]] = [:]
  /// Names of the operations and events that `Shared/Operations` declares.
  public private(set) var operations: [String] = []
  public private(set) var events: [String] = []
  /// Names of the constants in types that are called limits: `StreamLimits.pageMax`.
  public private(set) var limits: [String] = []
  /// What each protocol and each type at the top of a file is declared to be.
  private var protocols: [String: Set<String>] = [:]
  private var types: [(name: String, conformances: Set<String>)] = []

  /// The repository that this file was compiled from.
  public static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  public init() throws {
    for folder in ["Shared/Wire", "Shared/Operations"] {
      let base = Self.root.appending(path: folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: base.path()).sorted()
      where path.hasSuffix(".swift") {
        read(try String(contentsOf: base.appending(path: path), encoding: .utf8))
      }
    }
    operations = types(of: "Operation")
    events = types(of: "Event")
  }

  /// The types that are declared to be of a kind, or to conform to a protocol that is of it.
  private func types(of kind: String) -> [String] {
    let kinds = protocols.filter { $0.value.contains(kind) }.keys + [kind]
    return types.filter { !$0.conformances.isDisjoint(with: kinds) }.map(\.name).sorted()
  }

  private mutating func read(_ text: String) {
    var pending: [String] = []
    var types: [(indent: Int, name: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let indent = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indent)
      if content.hasPrefix("///") {
        pending.append(String(content.dropFirst(3)).trimmingCharacters(in: .whitespaces))
        continue
      }
      if !content.isEmpty { types.removeAll { $0.indent >= indent && content != "}" } }
      if let match = content.wholeMatch(
        of: /(?:public )?(?:struct|enum|extension) (\w+)(.*)\{\}?/)
      {
        types.append((indent, String(match.1)))
        note(types.map(\.name).joined(separator: "."), pending)
        if indent == 0 { self.types.append((String(match.1), Self.names(match.2))) }
      } else if let match = content.wholeMatch(of: /public protocol (\w+)(.*)\{\}?/) {
        protocols[String(match.1)] = Self.names(match.2)
      } else if let match = content.prefixMatch(of: /(?:public (?:static let|var)|case) (\w+)/) {
        let name = (types.map(\.name) + [String(match.1)]).joined(separator: ".")
        note(name, pending)
        if content.hasPrefix("public static let"), types.last?.name.hasSuffix("Limits") == true {
          limits.append(name)
        }
      }
      pending = []
    }
  }

  private mutating func note(_ name: String, _ lines: [String]) {
    if !lines.isEmpty { comments[name] = lines }
  }

  private static func names(_ clause: Substring) -> Set<String> {
    Set(clause.split { !$0.isLetter }.map(String.init))
  }

  /// What `MessageCatalog+List.swift` has to be.
  public var list: String {
    func lines(_ names: [String]) -> String {
      names.map { "    \($0).self,\n" }.joined()
    }
    return """
      // Written by `MUSTER_UPDATE_GOLDEN=1 swift test --filter OperationsTests`.

      import Operations
      public import Wire

      extension MessageCatalog {
        public static let operations: [any Operation.Type] = [
      \(lines(operations))  ]

        public static let events: [any Event.Type] = [
      \(lines(events))  ]
      }

      """
  }

  /// What `ServiceCores.swift` has to be: the core of a service is called like it.
  public var cores: String {
    let cores = Service.behindGateway.map { "\($0.name.capitalized)Core" }
    let imports = (cores + ["Domain"]).sorted().map { module in
      module == "Domain" ? "public import Domain\n" : "import \(module)\n"
    }
    return """
      // Written by `MUSTER_UPDATE_GOLDEN=1 swift test --filter OperationsTests`.

      \(imports.joined())
      /// The cores of all services.
      public enum ServiceCores {
        public static let all: [any ServiceCore.Type] = [
      \(cores.map { "    \($0).self,\n" }.joined())  ]
      }

      """
  }
}
