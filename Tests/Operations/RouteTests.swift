import Catalog
import Domain
import Operations
import Testing
import Wire

/// What the services' routers answer and what the catalog lists are the same.
struct RouteTests {
  @Test func everyServiceHasACore() {
    #expect(ServiceCores.all.map { $0.service } == Service.behindGateway)
    // Tables have one place for each number.
    #expect(Service.allCases.map { Int($0.rawValue) } == Array(Service.allCases.indices))
  }

  @Test(arguments: ServiceCores.all.indices)
  func routes(ofCore index: Int) {
    let core = ServiceCores.all[index]
    let routes = self.routes(of: core)
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
    for route in routes.values where route.opcode.service != nil {
      #expect(listed.contains(route.opcode), "\(route.name) is not in the catalog")
    }
  }

  /// The audit keeps what owners send, so nothing that they send to a service may be a secret.
  @Test func auditedCallsHoldNoSecrets() {
    for core in ServiceCores.all {
      for route in routes(of: core).values where route.isAudited {
        for name in fieldNames(route.shape).map({ $0.lowercased() }) {
          let words = ["secret", "credential", "password", "token", "private"]
          #expect(!words.contains { name.contains($0) }, "\(route.name).\(name)")
        }
      }
    }
  }

  /// The core's own and those that the engine around it handles.
  private func routes(of core: any ServiceCore.Type) -> [Opcode: Route] {
    ServiceCores.engine(of: core).router.routes
  }

  private func fieldNames(_ shape: Shape) -> [String] {
    switch shape {
    case .message(_, let fields, _): fields.flatMap { [$0.name] + fieldNames($0.shape) }
    case .optional(let inner), .list(let inner): fieldNames(inner)
    case .scalar, .identifier, .enumeration: []
    }
  }
}
