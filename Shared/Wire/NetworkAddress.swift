/// Where a process listens: `host:port`, with `[host]:port` for IPv6.
public struct NetworkAddress: Equatable, Sendable {
  public var host: String
  public var port: UInt16

  /// Makes the address that a text names; nil when it names none.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host.isEmpty { return nil }
    self.host = String(host)
    self.port = port
  }
}
