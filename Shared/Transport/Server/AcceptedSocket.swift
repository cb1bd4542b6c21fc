internal import Synchronization
public import Wire

/// A connection's socket on its way from the acceptor to the loop that will serve it.
///
/// It may cross threads. If it is released without having been served (because a loop ends or a
/// server drains), it closes the socket and makes room for another one. So a socket that is
/// forgotten is not leaked.
public final class AcceptedSocket: Sendable {
  static let none: Int32 = -1

  /// The peer's address and port.
  public let address: String
  /// Whom the connection is counted by.
  public let host: PeerHost
  let place: AcceptedPlace
  let hostPlace: HostPlace?
  /// Whether the peer is a balancer, which says first whose the connection is.
  let isProxied: Bool
  let hosts: (any HostGuard)?
  private let descriptor: Atomic<Int32>

  /// Takes over `descriptor`.
  init(
    descriptor: Int32, address: SocketAddress, place: AcceptedPlace, hostPlace: HostPlace?,
    isProxied: Bool, hosts: (any HostGuard)?
  ) {
    self.address = address.text
    host = address.host
    self.place = place
    self.hostPlace = hostPlace
    self.isProxied = isProxied
    self.hosts = hosts
    self.descriptor = Atomic(descriptor)
  }

  /// Hands over the descriptor; nil when it was taken before.
  func take() -> Int32? {
    let taken = descriptor.exchange(Self.none, ordering: .acquiringAndReleasing)
    return taken == Self.none ? nil : taken
  }

  deinit {
    if let descriptor = take() { SystemSocket.close(descriptor) }
  }
}

/// Counts the open connections of an acceptor, on all loops together, and those among them whose
/// handshakes have not ended.
final class ConnectionCount: Sendable {
  let countMax: Int
  let unfinishedMax: Int
  private let count = Atomic<Int>(0)
  private let unfinishedCount = Atomic<Int>(0)

  init(max countMax: Int, unfinishedMax: Int) {
    (self.countMax, self.unfinishedMax) = (countMax, unfinishedMax)
  }

  var current: Int { count.load(ordering: .acquiring) }
  var unfinished: Int { unfinishedCount.load(ordering: .acquiring) }
  /// Whether slow peers are about to keep others out.
  var isCrowded: Bool { unfinished > unfinishedMax / 2 }
  /// So many may be taken before some are to make room: three quarters.
  private var keptMax: Int { unfinishedMax - unfinishedMax / 4 }
  /// How many more are taken: so many are to make room.
  var excess: Int { unfinished - keptMax }

  /// Takes a place for a handshake; returns false when there is none. The limit is exact: only the
  /// acceptor calls this, so between its two steps the count can only fall.
  func enter() -> Bool {
    if current >= countMax { return false }
    count.add(1, ordering: .acquiringAndReleasing)
    unfinishedCount.add(1, ordering: .acquiringAndReleasing)
    return true
  }

  /// Gives up the place of one handshake if more are taken than may be kept; returns whether it
  /// did. However many loops ask at once, no more are given up than are too many.
  func giveUpExcess() -> Bool {
    var taken = unfinished
    while taken > keptMax {
      let (isDone, now) = unfinishedCount.compareExchange(
        expected: taken, desired: taken - 1, ordering: .acquiringAndReleasing)
      if isDone { return true }
      taken = now
    }
    return false
  }

  /// The handshake has ended, well or badly.
  func finish() { unfinishedCount.subtract(1, ordering: .acquiringAndReleasing) }

  func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }
}
