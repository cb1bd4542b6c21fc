import Wire

/// Keys, games' credentials and operators as somebody has written them down, a line each:
///
///     key PURPOSE NUMBER KEY [current]
///     game-server OLDEST NEWEST GAME
///     operator NAME HASH
///     end
///
/// Each purpose has the keys that its lines say; a line names the key 1 that the deployment's
/// secret makes as `auth-secret` in place of its bytes. In a file without a key all purposes have
/// that one. KEY and HASH are 32 bytes in hexadecimal digits. A game that has no line has
/// generation 0 of the credential of its servers. Empty lines, and those that begin with `#`, say
/// nothing.
///
/// A file that was cut short, as by a full disk, would let a key come back that was taken away, or
/// a credential that was revoked. So `end` is its last line, and one purpose with a key demands one
/// for each.
public struct KeyFile: Sendable {
  /// What is wrong, and in which line. It quotes no key.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    public let description: String
  }

  private enum Key: Hashable {
    case bytes([UInt8])
    /// The one that the deployment's secret makes.
    case ofSecret
  }

  private var keys: [KeyPurpose: [UInt16: Key]] = [:]
  private var current: [KeyPurpose: UInt16] = [:]
  private var generations: [String: ClosedRange<UInt32>] = [:]
  /// The SHA-256 of each operator's secret.
  public private(set) var operators: [String: [UInt8]] = [:]

  private static let keySize = 32
  /// So that it fits in a line of a table.
  private static let operatorNameSizeMax = 64

  /// Keys of the deployment's secret alone.
  public init() {}

  public init(_ text: String) throws(Fault) {
    var isWhole = false
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let kind = words.first, !kind.hasPrefix("#") else { continue }
      if isWhole { throw Fault(description: "line \(index + 1): it stands behind `end`.") }
      if words == ["end"] {
        isWhole = true
        continue
      }
      guard let take = Self.kinds[kind] else {
        throw Fault(
          description: "line \(index + 1): a line begins with key, game-server or operator, or is "
            + "`end`.")
      }
      if let problem = take(&self, Array(words.dropFirst())) {
        throw Fault(description: "line \(index + 1): \(problem)")
      }
    }
    if !isWhole {
      throw Fault(description: "the last line is not `end`: something of the file is missing.")
    }
    try checkPurposes()
  }

  private func checkPurposes() throws(Fault) {
    if keys.isEmpty { return }
    for purpose in KeyPurpose.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      if keys[purpose] == nil {
        throw Fault(
          description: "there is no key for \(purpose.rawValue): where one purpose has a line, "
            + "each has one.")
      }
      if current[purpose] == nil {
        throw Fault(description: "no key for \(purpose.rawValue) is the current one.")
      }
    }
  }

  /// Takes the words of a line after the first, and returns what is wrong with them.
  private typealias Take = @Sendable (inout KeyFile, [String]) -> String?

  private static let kinds: [String: Take] = [
    "key": { $0.takeKey($1) }, "game-server": { $0.takeGameServer($1) },
    "operator": { $0.takeOperator($1) },
  ]

  private mutating func takeKey(_ words: [String]) -> String? {
    guard 3...4 ~= words.count, words.count == 3 || words[3] == "current" else {
      return "a key is written `key PURPOSE NUMBER KEY`, and `current` after one of a purpose."
    }
    guard let purpose = KeyPurpose(rawValue: words[0]) else {
      return "a purpose is one of \(KeyPurpose.allCases.map(\.rawValue).joined(separator: ", "))."
    }
    guard let number = UInt16(words[1]), number > 0, "\(number)" == words[1] else {
      return "the number of a key is from 1 to 65535."
    }
    guard let key = words[2] == "auth-secret" ? .ofSecret : Self.bytes(words[2]).map(Key.bytes)
    else {
      return "a key is auth-secret or \(Self.keySize * 2) hexadecimal digits in small letters."
    }
    if case .ofSecret = key, number != 1 { return "the key of auth-secret has the number 1." }
    if keys[purpose]?[number] != nil { return "there are two keys \(number) of this purpose." }
    if keys[purpose]?.values.contains(key) == true {
      return "another key of this purpose is the same, and so nothing would be changed."
    }
    keys[purpose, default: [:]][number] = key
    if words.count == 3 { return nil }
    if current[purpose] != nil { return "another key of this purpose is the current one." }
    current[purpose] = number
    return nil
  }

  private mutating func takeGameServer(_ words: [String]) -> String? {
    guard words.count >= 3, let oldest = UInt32(words[0]), let newest = UInt32(words[1]),
      oldest <= newest
    else { return "it is written `game-server OLDEST NEWEST GAME`, with two generations." }
    let game = words[2...].joined(separator: " ")
    if let failure = GameName.failure(game) { return failure.text }
    if generations[game] != nil { return "there are two lines for this game." }
    generations[game] = oldest...newest
    return nil
  }

  private mutating func takeOperator(_ words: [String]) -> String? {
    guard words.count == 2, let hash = Self.bytes(words[1]) else {
      return "an operator is written `operator NAME HASH`, with the SHA-256 of the secret."
    }
    let name = words[0]
    guard name.utf8.count <= Self.operatorNameSizeMax,
      name.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: ":") })
    else {
      return "an operator's name has at most \(Self.operatorNameSizeMax) printable ASCII "
        + "characters, and no colon."
    }
    if operators[name] != nil { return "there are two operators of this name." }
    operators[name] = hash
    return nil
  }

  private static func bytes(_ digits: String) -> [UInt8]? {
    guard let bytes = Hexadecimal.bytes(digits), bytes.count == keySize else { return nil }
    return bytes
  }

  /// - Parameter secret: the deployment's; nil where the lines say all keys.
  public func keyring(secret: [UInt8]?, hash: @escaping Keyring.KeyedHashing) throws(Fault)
    -> Keyring
  {
    var sets: [KeyPurpose: KeySet] = [:]
    for purpose in KeyPurpose.allCases {
      var known: [UInt16: [UInt8]] = [:]
      for (number, key) in keys[purpose] ?? [1: .ofSecret] {
        switch (key, secret) {
        case (.bytes(let bytes), _): known[number] = bytes
        case (.ofSecret, let secret?):
          known[number] = Keyring.firstKey(purpose, of: secret, hash: hash)
        case (.ofSecret, nil):
          throw Fault(
            description: "the key 1 for \(purpose.rawValue) is of auth-secret, which is not set.")
        }
      }
      sets[purpose] = KeySet(current: current[purpose] ?? 1, known)
    }
    let all = sets
    return Keyring(
      { purpose in
        guard let set = all[purpose] else { preconditionFailure("no key for \(purpose)") }
        return set
      }, generations: generations, hash: hash)
  }
}
