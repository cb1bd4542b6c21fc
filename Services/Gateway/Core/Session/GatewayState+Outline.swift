extension GatewayState {
  /// What is told in the status, so that gateways can be compared: no secret can be read from it.
  /// Of very many lines the last ones are one.
  public var outline: [String] {
    let operators = operators.named.sorted { $0.key < $1.key }.map { name, hash in
      "operator \(name) \(keyring.mark(of: hash))"
    }
    let all = keyring.outline + operators
    guard all.count > Self.outlineCountMax else { return all }
    let rest = all[(Self.outlineCountMax - 1)...]
    let mark = keyring.mark(of: Array(rest.joined(separator: "\n").utf8))
    return all.prefix(Self.outlineCountMax - 1) + ["\(rest.count) more lines \(mark)"]
  }

  private static let outlineCountMax = 128
}
