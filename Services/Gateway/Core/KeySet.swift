/// What a gateway's key is for. The name goes into the key that is made from the deployment's
/// secret.
public enum KeyPurpose: String, CaseIterable, Sendable {
  /// Names what a call makes, so that its repetition makes the same: players, their devices and
  /// secrets, contexts, and the instances of game servers and operators. A change of the key makes
  /// calls that are repeated just then run twice, and nothing else.
  case identities
  /// Seals session tokens.
  case tokens
  /// Hashes the secrets of devices.
  case devices
  /// Makes the credentials of games' servers.
  case gameServers = "game-servers"
  /// Seals the nonces of identity proofs, and hashes what may use a proof again. With another key
  /// sign-ins with identities that are under way are refused.
  case nonces
  /// Names the context of two players. The name has no room for the key's number: a pair's context
  /// is looked for under each key that is known, see `PairNames`.
  case pairs
  /// Seals the tickets by which TLS sessions are resumed. With another key a client makes one whole
  /// handshake more.
  case tickets
}

/// The keys of one purpose, by number. One is current: what is made now is made with it.
public struct KeySet: Sendable {
  public let current: UInt16
  private let keys: [UInt16: [UInt8]]

  /// - Parameter keys: must have one of the number `current`.
  public init(current: UInt16, _ keys: [UInt16: [UInt8]]) {
    precondition(keys[current] != nil, "there is no key \(current)")
    self.current = current
    self.keys = keys
  }

  var numbers: [UInt16] { keys.keys.sorted() }

  func has(_ number: UInt16) -> Bool { keys[number] != nil }

  /// The key of a number that there is.
  subscript(number: UInt16) -> [UInt8] {
    guard let key = keys[number] else { preconditionFailure("there is no key \(number)") }
    return key
  }
}
