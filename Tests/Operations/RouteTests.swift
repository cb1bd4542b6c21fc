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
  private func check(_ core: any ServiceCore.Type) {
    let routes = core.init().router.routes
    let operations = MessageCatalog.operations.filter { $0.opcode.service == core.service }
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

  /// The audit keeps what owners send, so nothing that they send to a service may be a secret.
  @Test func auditedCallsHoldNoSecrets() {
    func check(_ core: any ServiceCore.Type) {
      for route in core.init().router.routes.values where route.isAudited {
        for name in fieldNames(route.shape).map({ $0.lowercased() }) {
          let words = ["secret", "credential", "password", "token", "private"]
          #expect(!words.contains { name.contains($0) }, "\(route.name).\(name)")
        }
      }
    }
    check(ContextCore.self)
    check(RequestCore.self)
    check(LeaderboardCore.self)
  }

  private func fieldNames(_ shape: Shape) -> [String] {
    switch shape {
    case .message(_, let fields, _): fields.flatMap { [$0.name] + fieldNames($0.shape) }
    case .optional(let inner), .list(let inner): fieldNames(inner)
    case .scalar, .identifier, .enumeration: []
    }
  }
}
