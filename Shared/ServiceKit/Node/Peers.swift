public import Domain
public import Transport
public import Wire

/// The links to the processes of every service, by service and partition.
public final class Peers {
  public struct Address: Hashable, Sendable, CustomStringConvertible {
    public var service: Service
    public var partition: Int
    public var description: String { "\(service.name)/\(partition + 1)" }

    public init(service: Service, partition: Int) {
      self.service = service
      self.partition = partition
    }
  }

  private let links: [Service: [Link]]
  private let here: (service: Service, partition: Partition)?

  /// - Parameter here: the process's own service and partition, which needs no link.
  public init(links: [Service: [Link]], here: (service: Service, partition: Partition)?) {
    self.links = links
    self.here = here
  }

  public func address(_ service: Service, slot: Int) -> Address {
    let count = service == here?.service ? here?.partition.count : links[service]?.count
    return Address(
      service: service, partition: Partition.owner(of: slot, count: max(1, count ?? 1)))
  }

  public func isHere(_ address: Address) -> Bool {
    address.service == here?.service && address.partition == here?.partition.index
  }

  public func link(_ address: Address) -> Link? {
    guard let links = links[address.service], links.indices.contains(address.partition) else {
      return nil
    }
    return links[address.partition]
  }

  public var all: [(address: Address, link: Link)] {
    links.flatMap { service, links in
      links.enumerated().map {
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
