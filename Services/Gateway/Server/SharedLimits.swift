import GatewayCore
import Locking
import Transport
import Wire

/// The limits of the whole process, whichever of its loops a client is on.
///
/// Each is used once in a connection's life, at a sign-in, or when bytes come before one, so that
/// the lock costs nothing that anybody would notice. What every call uses is each loop's own. Loops
/// read one monotonic clock; that some are a turn behind others does no harm.
final class SharedLimits: Sendable {
  private let hosts: Locked<HostBudgets>

  init(_ plan: GatewayPlan) { hosts = Locked(HostBudgets(plan.settings)) }

  /// For the sessions of a loop.
  var calls: HostCalls {
    HostCalls(
      takeSignIn: { [self] host, now in hosts.withLock { $0.takeSignIn(host, now: now) } },
      takeSignUp: { [self] host, now in hosts.withLock { $0.takeSignUp(host, now: now) } },
      chargeStranger: { [self] host, byteCount, now in
        hosts.withLock { $0.chargeStranger(host, byteCount: byteCount, now: now) }
      })
  }
}

extension SharedLimits: HostGuard {
  func enter(_ host: PeerHost, now: UInt64) -> CloseReason? {
    hosts.withLock { $0.enter(host, now: now) }.map { .hostLimit($0) }
  }

  func leave(_ host: PeerHost) { hosts.withLock { $0.leave(host) } }
}
