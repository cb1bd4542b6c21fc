public import Domain
public import Transport
public import Wire

/// The links to the processes of every service, by service and partition.
///
/// A process counts a call's time from the arrival. So a call that has waited here for the process
/// to come back leaves with the time that it has left: its client may be about to give up.
public final class Peers {
  public typealias Address = ProcessAddress

  /// By the service's number and the partition.
  private let links: [[Link]]
  private let here: (service: Service, partition: Partition)?

  /// - Parameter here: the process's own service and partition, which needs no link.
  public init(links: [Service: [Link]], here: (service: Service, partition: Partition)?) {
    self.links = Service.allCases.sorted { $0.rawValue < $1.rawValue }.map { links[$0] ?? [] }
    self.here = here
    for link in self.links.joined() {
      link.onWaitEnd = { body, left in
        Enveloped.limitDeadline(of: &body, toMilliseconds: UInt32(clamping: left))
      }
    }
  }

  /// Nil for a service that the deployment leaves out.
  public func address(_ service: Service, slot: Int) -> Address? {
    var count = links[Int(service.rawValue)].count
    if let here, here.service == service { count = here.partition.count }
    if count == 0 { return nil }
    return Address(service: service, partition: Partition.owner(of: slot, count: count))
  }

  /// Processes of a service that there are links to.
  public func count(of service: Service) -> Int { links[Int(service.rawValue)].count }

  public func isHere(_ address: Address) -> Bool {
    address.service == here?.service && address.partition == here?.partition.index
  }

  public func link(_ address: Address) -> Link? {
    let links = links[Int(address.service.rawValue)]
    return links.indices.contains(address.partition) ? links[address.partition] : nil
  }

  public var all: [(address: Address, link: Link)] {
    Service.allCases.flatMap { service in
      links[Int(service.rawValue)].enumerated().map {
        (address: Address(service: service, partition: $0.offset), link: $0.element)
      }
    }
  }

  public func call(
    _ address: Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) {
    guard let link = link(address) else {
      done(.failure(Failure(.unavailable, "No address is configured for \(address).")))
      return
    }
    link.call(
      request.opcode.rawValue, body: Enveloped.join(request.envelope, request.body),
      deadlineMilliseconds: deadlineMilliseconds
    ) { result in
      switch result {
      case .success(let body): done(.reply(body))
      case .failure(let failure): done(.failure(failure))
      }
    }
  }

  public func close() {
    for (_, link) in all { link.close() }
  }
}
