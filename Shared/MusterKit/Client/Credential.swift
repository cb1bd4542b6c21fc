/// What a device keeps to sign a player in: whoever has it can act as the player.
///
/// Its secret is never printed: a log line or a debugger shows only the player and the device.
public struct Credential: Sendable, Hashable {
  public var player: PlayerID
  public var device: DeviceID
  /// The 32 bytes of the secret, which the server made.
  public var secret: [UInt8]

  public init(player: PlayerID, device: DeviceID, secret: [UInt8]) {
    self.player = player
    self.device = device
    self.secret = secret
  }

  static let textPrefix = "muster1"

  /// The credential as one line, for a file or a key chain. It contains the secret.
  public var text: String {
    let halves = [secret.prefix(16), secret.dropFirst(16)]
      .compactMap { RoutingKey(bytes: Array($0))?.description }
    return "\(Self.textPrefix).\(player).\(device).\(halves.joined())"
  }

  /// Reads what `text` returns; nil for anything else.
  public init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0] == Self.textPrefix, let player = PlayerID(parts[1]),
      let device = DeviceID(parts[2]), parts[3].utf8.count % 2 == 0
    else { return nil }
    let half = parts[3].utf8.count / 2
    guard let first = RoutingKey(String(parts[3].prefix(half))),
      let second = RoutingKey(String(parts[3].dropFirst(half)))
    else { return nil }
    self.init(player: player, device: device, secret: first.bytes + second.bytes)
  }
}

extension Credential: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let credential = Self(text: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the text of a credential.")
    }
    self = credential
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Credential(player: \(player), device: \(device), secret: ***)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["player": player, "device": device], displayStyle: .struct)
  }
}
