internal import Synchronization

/// A connection's socket on its way from the acceptor to the loop that is to serve it.
///
/// It may cross threads. Whoever lets go of it without serving it (a loop that ends, a server that
/// drains) closes it and makes room for another: it cannot be leaked by being forgotten.
public final class AcceptedSocket: Sendable {
  static let none: Int32 = -1

  /// The peer's address and port.
  public let address: String
  let count: ConnectionCount
  private let descriptor: Atomic<Int32>

  /// Takes over `descriptor` and one place in `count`.
  init(descriptor: Int32, address: String, count: ConnectionCount) {
    self.address = address
    self.count = count
    self.descriptor = Atomic(descriptor)
  }

  /// Hands over the descriptor and the place in the count; nil when somebody took them before.
  func take() -> Int32? {
    let taken = descriptor.exchange(Self.none, ordering: .acquiringAndReleasing)
    return taken == Self.none ? nil : taken
  }

  deinit {
    guard let descriptor = take() else { return }
    Socket.close(descriptor)
    count.leave()
  }
}

/// How many connections of an acceptor are open, on whichever loops they are.
final class ConnectionCount: Sendable {
  let countMax: Int
  private let count = Atomic<Int>(0)

  init(max countMax: Int) { self.countMax = countMax }

  var current: Int { count.load(ordering: .acquiring) }

  /// False when there is no room. Only the acceptor enters, so between the two steps the count can
  /// only fall, and the limit is exact.
  func enter() -> Bool {
    if current >= countMax { return false }
    count.add(1, ordering: .acquiringAndReleasing)
    return true
  }

  func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }
}
