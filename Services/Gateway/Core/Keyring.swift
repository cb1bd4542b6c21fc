public import Operations
public import Wire

/// Everything that gateways derive from keys: credentials, seals of tokens, and keys of their own
/// choice. Gateways that have the same keys derive the same.
///
/// Each purpose has keys of its own, so that one of them can be changed without the others, and
/// what is derived for one purpose is of no use for another. What is kept outside of the gateway
/// says the number of its key, and stays good while the gateway knows a key of that number.
public struct Keyring: Sendable {
  /// Thirty-two bytes under a key, by HMAC-SHA-256 or what is as good.
  public typealias KeyedHashing = @Sendable (_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]

  private let sets: [KeyPurpose: KeySet]
  /// The generations of credentials that a game's servers may show. A game that is not here has
  /// generation 0 alone.
  private let generations: [String: ClosedRange<UInt32>]
  private let hash: KeyedHashing

  public init(
    _ keys: (KeyPurpose) -> KeySet, generations: [String: ClosedRange<UInt32>] = [:],
    hash: @escaping KeyedHashing
  ) {
    sets = Dictionary(uniqueKeysWithValues: KeyPurpose.allCases.map { ($0, keys($0)) })
    self.generations = generations
    self.hash = hash
  }

  /// Makes the first key of each purpose from the deployment's one secret.
  public init(secret: [UInt8], hash: @escaping KeyedHashing) {
    self.init(
      { KeySet(current: 1, [1: Self.firstKey($0, of: secret, hash: hash)]) }, hash: hash)
  }

  /// Returns the key 1 of a purpose, which the deployment's one secret has made.
  static func firstKey(_ purpose: KeyPurpose, of secret: [UInt8], hash: KeyedHashing) -> [UInt8] {
    hash(secret, Array("muster key 1 \(purpose.rawValue)".utf8))
  }

  // MARK: Credentials

  /// A sign-up attempt always gives the same player, so that a retry finds it again.
  public func player(of attempt: RoutingKey) -> PlayerID { identifier("player", attempt.bytes) }
  public func device(of attempt: RoutingKey) -> DeviceID { identifier("device", attempt.bytes) }
  public func secret(of attempt: RoutingKey) -> [UInt8] {
    derive(.identities, "secret", attempt.bytes)
  }

  /// What an attempt gets with an identity, which it has to be shown with again: whoever learns the
  /// attempt alone gets nothing of it.
  public func device(of attempt: RoutingKey, with identity: RoutingKey) -> DeviceID {
    identifier("identity device", attempt.bytes + identity.bytes)
  }
  public func secret(of attempt: RoutingKey, with identity: RoutingKey) -> [UInt8] {
    derive(.identities, "identity secret", attempt.bytes + identity.bytes)
  }

  /// Returns the hash that is stored in place of a device's secret. The secret has 256 random bits,
  /// so a slow hash would add nothing.
  public func secretHash(_ secret: [UInt8]) -> KeyedHash {
    secretHash(secret, set(.devices).current)
  }

  /// The number of the key that hashes are made with now.
  public var deviceKeyNumber: UInt16 { self.set(.devices).current }

  /// Returns the hashes under every key but the current one.
  public func otherSecretHashes(_ secret: [UInt8]) -> [KeyedHash] {
    set(.devices).numbers.filter { $0 != deviceKeyNumber }.map { secretHash(secret, $0) }
  }

  /// Returns the hashes under every key, one of which is stored if the secret is right.
  public func secretHashes(_ secret: [UInt8]) -> [KeyedHash] {
    set(.devices).numbers.map { secretHash(secret, $0) }
  }

  private func secretHash(_ secret: [UInt8], _ number: UInt16) -> KeyedHash {
    KeyedHash(
      keyNumber: number, hash: Bytes(derive(.devices, key: number, "secret-hash", secret)))
  }

  /// Returns the key's number, a point, the generation and a point where it is not 0, and
  /// thirty-two bytes in the text form of two identifiers. The generation is the newest of the
  /// game.
  public func gameServerCredential(game: String) -> String {
    gameServerCredential(
      game: game, set(.gameServers).current, generation: goodGenerations(of: game).upperBound)
  }

  /// Returns with which key, and of which generation, a credential was made; nil for one that is
  /// not good: made with a key that is not known, or of a generation that the game's servers may
  /// not show.
  ///
  /// - Parameter equals: compares in a time that does not depend on where the bytes differ.
  func version(
    of credential: String, ofServersOf game: String, equals: ([UInt8], [UInt8]) -> Bool
  ) -> CredentialVersion? {
    let parts = credential.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, let number = UInt16(parts[0]),
      let generation = parts.count == 2 ? 0 : UInt32(parts[1])
    else { return nil }
    let version = CredentialVersion(keyNumber: number, generation: generation)
    guard isGood(version, ofServersOf: game) else { return nil }
    let expected = gameServerCredential(game: game, number, generation: generation)
    return equals(Array(expected.utf8), Array(credential.utf8)) ? version : nil
  }

  /// Whether a game's servers may show credentials of a version.
  func isGood(_ version: CredentialVersion, ofServersOf game: String) -> Bool {
    set(.gameServers).has(version.keyNumber)
      && goodGenerations(of: game).contains(version.generation)
  }

  private func goodGenerations(of game: String) -> ClosedRange<UInt32> {
    generations[game] ?? 0...0
  }

  private func gameServerCredential(
    game: String, _ number: UInt16, generation: UInt32
  ) -> String {
    var writer = Writer()
    if generation > 0 { writer.integer(generation) }
    let label = generation > 0 ? "credential of a generation" : "credential"
    let bytes = derive(.gameServers, key: number, label, writer.bytes + Array(game.utf8))
    return (generation > 0 ? "\(number).\(generation)." : "\(number).")
      + stride(from: 0, to: bytes.count, by: 16)
      .compactMap { RoutingKey(bytes: Array(bytes[$0..<min($0 + 16, bytes.count)]))?.description }
      .joined()
  }

  // MARK: Routing keys

  /// Returns the names of the context of two players in a game, one under each key: the same
  /// whoever of the two asks, and not to be guessed.
  package func pairNames(game: String, _ one: PlayerID, _ other: PlayerID) -> PairNames {
    let keys = set(.pairs)
    return PairNames(
      keys.numbers.map { number in
        PairNames.Name(
          key: pair(game: game, one, other, number), isOlder: number < keys.current)
      })
  }

  private func pair(
    game: String, _ one: PlayerID, _ other: PlayerID, _ number: UInt16
  ) -> RoutingKey {
    let players = min(one, other).bytes + max(one, other).bytes
    return identifier(derive(.pairs, key: number, "pair", players + Array(game.utf8)))
  }

  /// A new key for one idempotent call, the same for its repetitions.
  public func fresh(_ key: IdempotencyKey) -> RoutingKey {
    var writer = Writer()
    writer.integer(key.instance)
    writer.integer(key.counter)
    return identifier("fresh", writer.bytes)
  }

  /// What stands in the idempotency keys of a game server or an operator: the same on every gateway
  /// and connection, other for another kind, operator or game, and never 0.
  ///
  /// - Parameter client: the number that the caller's process has chosen for itself.
  func instance(of client: UInt64, _ principal: Principal) -> UInt64 {
    var writer = Writer()
    writer.integer(principal.kind.rawValue)
    writer.integer(client)
    var label = "instance"
    if !principal.operatorName.isEmpty {
      label = "instance of a name"
      writer.lengthPrefixed { $0.raw(Array(principal.operatorName.utf8)) }
    }
    let bytes = derive(.identities, label, writer.bytes + Array(principal.game.utf8))
    return max(1, bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  // MARK: Tokens

  private static let numberSize = 2
  private static let sealSize = 32

  /// Returns the number of a key, the bytes, and a seal of both that only this key makes.
  func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let number = set(.tokens).current
    var writer = Writer()
    writer.integer(number)
    let signed = writer.bytes + bytes
    return signed + derive(.tokens, key: number, "seal", signed)
  }

  /// Returns the bytes that `sealed` was given; nil when none of the keys has sealed them.
  ///
  /// - Parameter equals: compares in a time that does not depend on where the bytes differ.
  func unsealed(_ bytes: [UInt8], equals: ([UInt8], [UInt8]) -> Bool) -> [UInt8]? {
    let signed = Array(bytes.dropLast(Self.sealSize))
    guard case .success(let number) = Reader.read(signed, { $0.integer(UInt16.self) }),
      set(.tokens).has(number),
      equals(derive(.tokens, key: number, "seal", signed), Array(bytes.suffix(Self.sealSize)))
    else { return nil }
    return Array(signed.dropFirst(Self.numberSize))
  }

  /// What the tickets of TLS sessions are sealed with.
  public var ticketSecret: [UInt8] { derive(.tickets, "tickets", []) }

  // MARK: Nonces

  /// Returns a nonce that no other challenge gets, in hexadecimal digits: the number of a key, when
  /// the nonce expires, and a seal of both and of the challenge.
  ///
  /// - Parameter expiresAt: seconds since 1970.
  public func nonce(for challenge: Bytes, expiresAt: UInt64) -> String {
    Hexadecimal.text(nonce(for: challenge, expiresAt, set(.nonces).current))
  }

  private func nonce(for challenge: Bytes, _ expiresAt: UInt64, _ number: UInt16) -> [UInt8] {
    var writer = Writer()
    writer.integer(number)
    writer.integer(expiresAt)
    return writer.bytes
      + derive(.nonces, key: number, "nonce", writer.bytes + challenge.array)
  }

  /// Returns when a nonce expires, in seconds since 1970; nil for one that was not made for this
  /// challenge.
  ///
  /// - Parameter equals: compares in a time that does not depend on where the bytes differ.
  public func expiry(
    ofNonce nonce: String, for challenge: Bytes, equals: ([UInt8], [UInt8]) -> Bool
  ) -> UInt64? {
    guard let bytes = Hexadecimal.bytes(nonce),
      case .success(let (number, expiresAt)) = Reader.read(
        Array(bytes.prefix(10)), { ($0.integer(UInt16.self), $0.integer(UInt64.self)) }),
      set(.nonces).has(number), equals(self.nonce(for: challenge, expiresAt, number), bytes)
    else { return nil }
    return expiresAt
  }

  /// What the request service keeps in place of an attempt.
  public func name(of attempt: RoutingKey) -> RoutingKey {
    identifier(derive(.nonces, "attempt", attempt.bytes))
  }

  // MARK: What is known

  /// The numbers of all keys, the current one of each purpose first; no key itself.
  public var summary: String {
    KeyPurpose.allCases.sorted { $0.rawValue < $1.rawValue }.map { purpose in
      let keys = self.set(purpose)
      let others = keys.numbers.filter { $0 != keys.current }.map { " and \($0)" }
      return "\(purpose.rawValue) \(keys.current)\(others.joined())"
    }.joined(separator: ", ")
  }

  /// The games whose credentials were changed, in order, and the generations that are good of each.
  public var generationSummary: String {
    games.map { game in
      let good = goodGenerations(of: game)
      return "\(game) \(good.lowerBound) to \(good.upperBound)"
    }.joined(separator: ", ")
  }

  /// The games whose credentials were changed, in order.
  public var games: [String] { generations.keys.sorted() }

  /// What gateways that are to be alike have alike, a line each: as in the file of keys, but for
  /// four bytes in the place of a key, which only this key makes and which say nothing of it.
  public var outline: [String] {
    let keys = KeyPurpose.allCases.sorted { $0.rawValue < $1.rawValue }.flatMap { purpose in
      let keys = self.set(purpose)
      return keys.numbers.map { number in
        let mark = Hexadecimal.text(Array(derive(purpose, key: number, "mark", []).prefix(4)))
        let word = number == keys.current ? " current" : ""
        return "key \(purpose.rawValue) \(number) \(mark)\(word)"
      }
    }
    return keys
      + games.map { game in
        let good = goodGenerations(of: game)
        return "game-server \(good.lowerBound) \(good.upperBound) \(game)"
      }
  }

  /// Four bytes by which gateways with the same keys can compare something, and nobody else can
  /// guess at it.
  public func mark(of bytes: [UInt8]) -> String {
    let key = set(.pairs).numbers[0]
    return Hexadecimal.text(Array(derive(.pairs, key: key, "mark of", bytes).prefix(4)))
  }

  // MARK: Hashes

  private func set(_ purpose: KeyPurpose) -> KeySet {
    guard let set = sets[purpose] else { preconditionFailure("no key for \(purpose)") }
    return set
  }

  private func derive(
    _ purpose: KeyPurpose, key number: UInt16? = nil, _ label: String, _ bytes: [UInt8]
  ) -> [UInt8] {
    let set = set(purpose)
    return hash(set[number ?? set.current], Array(label.utf8) + [0] + bytes)
  }

  private func identifier<K>(_ label: String, _ bytes: [UInt8]) -> Identifier<K> {
    identifier(derive(.identities, label, bytes))
  }

  private func identifier<K>(_ hash: [UInt8]) -> Identifier<K> {
    Identifier(bytes: Array(hash.prefix(16))) ?? Identifier()
  }
}

/// How a credential of a game's servers was made.
struct CredentialVersion: Hashable {
  let keyNumber: UInt16
  let generation: UInt32
}
