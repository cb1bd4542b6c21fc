import Operations
import Wire

/// The simplest model of an invite token: it has one end.
struct TokenModel {
  enum State: Equatable {
    case open
    case claimed(PlayerID)
    case revoked
    case expired
  }

  let sender: PlayerID
  /// Milliseconds since 1970, by the clock of its sender.
  let expires: Int64
  private(set) var state = State.open
  private(set) var requestCount: UInt8 = 0
  private var waiting: [RequestID] = []

  init(sender: PlayerID, expires: Int64) { (self.sender, self.expires) = (sender, expires) }

  private func violation(_ text: String) -> Violation {
    Violation(description: "2.7 a token of \(sender) \(text)")
  }

  /// A request waits for whoever claims it.
  mutating func wait(_ request: RequestID, sender: PlayerID, now: Int64) throws(Violation) {
    guard state == .open, now < expires, sender == self.sender else {
      throw violation("was sent a request when it was \(state)")
    }
    waiting.append(request)
    requestCount += 1
  }

  /// Returns the requests that its claimant gets; nil where that player has claimed it before.
  mutating func claim(by player: PlayerID, now: Int64) throws(Violation) -> [RequestID]? {
    switch state {
    case .claimed(player): return nil
    case .claimed(let first): throw violation("was claimed twice, by \(first) and \(player)")
    case .revoked: throw violation("was claimed after it was revoked")
    case .expired: throw violation("was claimed after it had expired")
    case .open: break
    }
    if now >= expires { throw violation("was claimed after it had expired") }
    if player == sender { throw violation("was claimed by its sender") }
    return end(.claimed(player))
  }

  /// Returns the requests that are dropped.
  mutating func revoke(by player: PlayerID, now: Int64) throws(Violation) -> [RequestID] {
    if player != sender { throw violation("was revoked by \(player)") }
    if case .claimed = state { throw violation("was revoked after it was claimed") }
    return state == .open && now < expires ? end(.revoked) : []
  }

  /// Returns the requests that are dropped; nil where it has ended before.
  mutating func expire() -> [RequestID]? { state == .open ? end(.expired) : nil }

  private mutating func end(_ state: State) -> [RequestID] {
    defer { waiting = [] }
    self.state = state
    return waiting
  }

  /// As its sender's list must show it.
  var shown: InviteTokenState {
    switch state {
    case .open: .open
    case .claimed: .claimed
    case .revoked: .revoked
    case .expired: .expired
    }
  }
}
