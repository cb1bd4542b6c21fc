internal import Synchronization
public import Wire

/// Decides which hosts may connect. It is asked on the acceptor's loop, and told of the end of each
/// connection on any.
public protocol HostGuard: Sendable {
  /// Counts a connection of a host; returns why it may not be, if it may not, and then nothing is
  /// counted.
  ///
  /// - Parameter now: milliseconds of the loop's clock.
  func enter(_ host: PeerHost, now: UInt64) -> CloseReason?
  func leave(_ host: PeerHost)
}

/// What a connection has taken at its acceptor. It is given back when this is released, so that no
/// way out forgets it.
final class AcceptedPlace: Sendable {
  let count: ConnectionCount
  private let isUnfinished = Atomic<Bool>(true)

  /// Takes over one place in `count`.
  init(_ count: ConnectionCount) { self.count = count }

  /// The handshake has ended, well or badly.
  func finish() {
    if isUnfinished.exchange(false, ordering: .acquiringAndReleasing) { count.finish() }
  }

  /// Gives up the place of the handshake, if it is under way and more are than may be; returns
  /// whether it did.
  func giveUp() -> Bool {
    if !isUnfinished.exchange(false, ordering: .acquiringAndReleasing) { return false }
    if count.giveUpExcess() { return true }
    isUnfinished.store(true, ordering: .releasing)
    return false
  }

  deinit {
    finish()
    count.leave()
  }
}

/// One of a host's connections; given back in the same way.
final class HostPlace: Sendable {
  private let host: PeerHost
  private let hosts: any HostGuard

  private init(_ host: PeerHost, _ hosts: any HostGuard) { (self.host, self.hosts) = (host, hosts) }

  static func take(_ host: PeerHost, of hosts: any HostGuard, now: UInt64) -> Result<
    HostPlace, CloseReason
  > {
    hosts.enter(host, now: now).map { .failure($0) } ?? .success(HostPlace(host, hosts))
  }

  deinit { hosts.leave(host) }
}
