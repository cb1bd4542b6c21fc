import Domain
import GatewayCore
import Locking

/// The limits of the whole process, whichever of its loops a client is on.
///
/// Each is used once in a connection's life or at a sign-in, so that the lock costs nothing that
/// anybody would notice. What every call uses is each loop's own.
final class SharedLimits: Sendable {
  private let signIns: Locked<KeyedBudgets<Substring>>
  private let hosts: Locked<HostConnections>

  init(_ plan: GatewayPlan) {
    signIns = Locked(
      KeyedBudgets(
        TokenBucket.Rate(
          burst: plan.signInsPerMinute, refillMilliseconds: 60_000 / plan.signInsPerMinute)))
    hosts = Locked(HostConnections(countMax: plan.connectionsPerHost))
  }

  /// Takes one sign-in from the budget of an address; when it is used up, returns the milliseconds
  /// until it is not. Loops read one monotonic clock; that some are a turn behind others does no
  /// harm.
  func takeSignIn(from address: String, now: UInt64) -> UInt32? {
    signIns.withLock { $0.take(PeerHost.of(address), now: now) }
  }

  /// False when the address's host has as many connections as it may.
  func openConnection(of address: String) -> Bool { hosts.withLock { $0.open(address) } }
  func closeConnection(of address: String) { hosts.withLock { $0.close(address) } }
}
