import Catalog
import Foundation
import Testing
import Wire

/// A service's operations, events and facts come and go without a change of what carries them.
struct DomainNameTests {
  /// Types that the operations of the services declare, replies, terms and identifiers included.
  private var domainTypes: Set<String> {
    get throws {
      var names: Set<String> = []
      for service in Service.behindGateway {
        for text in try sources("Shared/Operations/\(service.name.capitalized)").values {
          for match in text.matches(of: /(?m)^public (?:struct|enum|typealias) (\w+)/) {
            names.insert(String(match.1))
          }
        }
      }
      // Facts that are more than one service's.
      return names.union(
        MessageCatalog.operations.flatMap { $0.needs }.map { $0.name }
      ).union(["FetchParticipants"])
    }
  }

  private func sources(_ folder: String) throws -> [String: String] {
    let base = Sources.root.appending(path: folder)
    var texts: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: base.path())
    where path.hasSuffix(".swift") {
      texts["\(folder)/\(path)"] = try String(
        contentsOf: base.appending(path: path), encoding: .utf8)
    }
    return texts
  }

  @Test(arguments: [
    "Shared/Wire", "Shared/Domain", "Services/Gateway/Core", "Services/Gateway/Server",
  ])
  func noneIsNamed(in folder: String) throws {
    let names = try domainTypes
    #expect(names.contains("SubmitScore") && names.contains("FetchFriends"))
    #expect(names.contains("ContextID"))
    for (path, text) in try sources(folder) {
      let code = text.split(separator: "\n").filter {
        !$0.drop(while: { $0 == " " }).hasPrefix("//")
      }
      let words = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
      #expect(words.isDisjoint(with: names), "\(path): \(words.intersection(names).sorted())")
    }
  }
}
