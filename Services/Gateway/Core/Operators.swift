import Wire

/// Who may sign in as an operator, and by which secret.
///
/// The secret of an operator with a name begins with the name and a colon. Of its secret only the
/// SHA-256 is kept: it has 256 random bits, so that a slow hash would add nothing.
struct Operators: Sendable {
  /// That of the operator without a name; nil where there is none.
  private let secret: [UInt8]?
  var named: [String: [UInt8]]

  init(secret: [UInt8]?, named: [String: [UInt8]]) {
    (self.secret, self.named) = (secret, named)
  }

  /// Returns whose secret it is; nil for nobody's. It takes as long for an unknown name as for a
  /// wrong secret.
  func identity(of given: String, equals: ([UInt8], [UInt8]) -> Bool) -> OperatorIdentity? {
    let bytes = Array(given.utf8)
    if let secret, equals(secret, bytes) { return OperatorIdentity(name: "", hash: []) }
    guard let colon = given.firstIndex(of: ":") else { return nil }
    let name = String(given[..<colon])
    let (stored, hash) = (named[name], Self.hash(of: bytes))
    let isRight = equals(stored ?? Array(repeating: 0, count: 32), hash)
    return stored != nil && isRight ? OperatorIdentity(name: name, hash: hash) : nil
  }

  /// Whether somebody who has signed in could do so now. The secret of the one without a name never
  /// changes while the process runs.
  func isGood(_ identity: OperatorIdentity) -> Bool {
    identity.name.isEmpty || named[identity.name] == identity.hash
  }

  private static func hash(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    for byte in bytes { hash.add(byte) }
    let words = hash.finish()
    var writer = Writer()
    for place in words.indices { writer.integer(words[place]) }
    return writer.bytes
  }
}

/// Who an operator is.
struct OperatorIdentity: Hashable {
  /// Empty for the one without a name.
  let name: String
  /// The SHA-256 of the secret; empty for the one without a name.
  let hash: [UInt8]
}
