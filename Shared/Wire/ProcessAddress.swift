/// One process of a service: the one that owns the slots of its partition.
public struct ProcessAddress: Hashable, Sendable, CustomStringConvertible {
  public var service: Service
  /// Counted from 0.
  public var partition: Int
  public var description: String { "\(service.name)/\(partition + 1)" }

  @inlinable
  public init(service: Service, partition: Int) {
    self.service = service
    self.partition = partition
  }
}
