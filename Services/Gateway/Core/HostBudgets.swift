public import Domain
public import Wire

/// How many connections, sign-ins and sign-ups each host may make, and how many bytes its strangers
/// may send: connections on which nobody has signed in.
///
/// A value without a clock. The number of hosts that are remembered is bounded; one without
/// connections, whose budgets are full, need not be.
public struct HostBudgets: Sendable {
  private struct Budgets {
    var connectionCount = 0
    var connections = TokenBucket()
    var signIns = TokenBucket()
    var signUps = TokenBucket()
    var bytes = TokenBucket()

    func matters(now: Int64) -> Bool {
      connectionCount > 0
        || [connections, signIns, signUps, bytes].contains { !$0.isFull(now: now) }
    }
  }

  private static let byteRate = TokenBucket.Rate(
    burst: Double(GatewayLimits.strangerBytesBurst),
    refillMilliseconds: 1000 / Double(GatewayLimits.strangerBytesPerSecond))

  private let connectionsMax: Int
  private let connectionRate: TokenBucket.Rate
  private let signInRate: TokenBucket.Rate
  private let signUpRate: TokenBucket.Rate
  private let hostsMax: Int
  private var hosts: [PeerHost: Budgets] = [:]
  private var search = RoomSearch()

  public static let settings: [NumberSetting] = [
    .connectionsPerHost, .signInsPerMinute, .signUpsPerHour,
  ]

  public init(_ settings: SettingValues, hostsMax: Int = GatewayLimits.budgetsMax) {
    connectionsMax = Int(settings[.connectionsPerHost])
    connectionRate = Self.rate(
      max(settings[.connectionsPerHost], GatewayLimits.connectionsPerMinuteMin), in: 60_000)
    signInRate = Self.rate(settings[.signInsPerMinute], in: 60_000)
    signUpRate = Self.rate(settings[.signUpsPerHour], in: 3_600_000)
    self.hostsMax = hostsMax
  }

  /// So many in a row, and as many again in that time.
  private static func rate(_ count: Int64, in milliseconds: Double) -> TokenBucket.Rate {
    TokenBucket.Rate(burst: Double(count), refillMilliseconds: milliseconds / Double(count))
  }

  /// Counts a connection; returns why it may not be, if it may not. The text is for logs.
  public mutating func enter(_ host: PeerHost, now: UInt64) -> String? {
    guard hasRoom(for: host, now: now) else { return "too many hosts are connected" }
    var budgets = hosts[host] ?? Budgets()
    guard budgets.connectionCount < connectionsMax else {
      return "\(connectionsMax) connections of this host are open"
    }
    guard budgets.connections.take(at: connectionRate, now: Int64(now)) == nil else {
      return "this host connects too often"
    }
    budgets.connectionCount += 1
    hosts[host] = budgets
    return nil
  }

  public mutating func leave(_ host: PeerHost) { hosts[host]?.connectionCount -= 1 }

  /// Takes one sign-in; when there is none, returns the milliseconds until there is.
  public mutating func takeSignIn(_ host: PeerHost, now: UInt64) -> UInt32? {
    let rate = signInRate
    return use(host, now: now) { $0.signIns.take(at: rate, now: Int64(now)) }
  }

  /// Takes one sign-up; when there is none, returns the milliseconds until there is.
  public mutating func takeSignUp(_ host: PeerHost, now: UInt64) -> UInt32? {
    let rate = signUpRate
    return use(host, now: now) { $0.signUps.take(at: rate, now: Int64(now)) }
  }

  /// Takes bytes that were read from a connection on which nobody has signed in; when there are not
  /// as many, returns the milliseconds for which the connection is not to be read.
  public mutating func chargeStranger(_ host: PeerHost, byteCount: Int, now: UInt64) -> UInt32? {
    use(host, now: now) {
      $0.bytes.charge(
        byteCount, at: Self.byteRate, now: Int64(now),
        debtMax: Double(GatewayLimits.strangerDebtBytesMax))
    }
  }

  private mutating func use(
    _ host: PeerHost, now: UInt64, _ body: (inout Budgets) -> UInt32?
  ) -> UInt32? {
    guard hasRoom(for: host, now: now) else { return RoomSearch.fullMilliseconds }
    return body(&hosts[host, default: Budgets()])
  }

  /// Whether a host is remembered, or may be. All places are taken in an attack from very many
  /// hosts.
  private mutating func hasRoom(for host: PeerHost, now: UInt64) -> Bool {
    if hosts.count < hostsMax || hosts[host] != nil { return true }
    guard search.begins(now: now) else { return false }
    hosts = hosts.filter { $0.value.matters(now: Int64(now)) }
    return hosts.count < hostsMax
  }
}

/// The budgets of hosts as a session uses them: those of all loops of a process. Each returns the
/// milliseconds until there is some, where there is none.
public struct HostCalls {
  public typealias Take = (_ host: PeerHost, _ now: UInt64) -> UInt32?

  public var takeSignIn: Take
  public var takeSignUp: Take
  public var chargeStranger: (_ host: PeerHost, _ byteCount: Int, _ now: UInt64) -> UInt32?

  /// Budgets that do not end, unless they are given.
  public init(
    takeSignIn: @escaping Take = { _, _ in nil }, takeSignUp: @escaping Take = { _, _ in nil },
    chargeStranger: @escaping (_ host: PeerHost, _ byteCount: Int, _ now: UInt64) -> UInt32? = {
      _, _, _ in nil
    }
  ) {
    (self.takeSignIn, self.takeSignUp) = (takeSignIn, takeSignUp)
    self.chargeStranger = chargeStranger
  }
}
