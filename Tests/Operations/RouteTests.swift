import Catalog
import ContextCore
import Domain
import LeaderboardCore
import Operations
import RequestCore
import Testing
import Wire

/// What the services' routers answer and what the catalog lists are the same.
struct RouteTests {
  private func check<Core: ServiceCore>(_ core: Core.Type) {
    let routes = Core.router.routes
    let operations = MessageCatalog.operations.filter { $0.opcode.service == Core.service }
    for operation in operations {
      guard let route = routes[operation.opcode] else {
        Issue.record("\(operation) has no handler in \(core)")
        continue
      }
      #expect(route.name == operation.name)
      #expect(route.shape == operation.shape)
    }
    let listed = Set(operations.map { $0.opcode })
    for route in routes.values {
      #expect(listed.contains(route.opcode), "\(route.name) is not in the catalog")
    }
  }

  @Test func context() { check(ContextCore.self) }
  @Test func request() { check(RequestCore.self) }
  @Test func leaderboard() { check(LeaderboardCore.self) }

  /// Two tables of one number, or two columns of one name, would mix up what is stored.
  @Test func tables() {
    func check<Core: ServiceCore>(_ core: Core.Type) {
      let tables = Engine<Core>.tables
      #expect(Set(tables.map(\.id)).count == tables.count)
      #expect(Set(tables.map { $0.name.lowercased() }).count == tables.count)
      #expect(Core.tables.allSatisfy { $0.id >= 16 })
    }
    check(ContextCore.self)
    check(RequestCore.self)
    check(LeaderboardCore.self)
  }
}
