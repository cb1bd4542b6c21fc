/// The games that the request service has lately said are declared.
struct DeclaredGames {
  /// By name, until when the service is not asked again.
  private var known: [String: UInt64] = [:]

  func has(_ game: String, now: UInt64) -> Bool { known[game].map { now < $0 } ?? false }

  mutating func add(_ game: String, now: UInt64) {
    known = known.filter { now < $0.value }
    known[game] = now + GatewayLimits.declaredGameMilliseconds
  }
}
