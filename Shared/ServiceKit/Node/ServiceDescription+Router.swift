package import Domain
package import Operations
package import Wire

extension ServiceDescription {
  /// What a process tells gateways of the operations that it answers.
  package init(_ service: Service, _ partition: Partition, _ router: Router) {
    self.init()
    self.service = service.rawValue
    self.partition = partition.description
    let routes = router.routes.values.filter { $0.access != .timersAlone }
    self.routes = routes.sorted { $0.opcode < $1.opcode }.map { route in
      var description = RouteDescription()
      description.opcode = route.opcode.rawValue
      description.name = route.name
      description.access = route.access.rawValue
      description.isReadOnly = route.isReadOnly
      description.routing = route.routing.rawValue
      description.needs = route.needs
      description.changesSession = route.changesSession
      description.isLive = route.isLive
      return description
    }
  }
}
