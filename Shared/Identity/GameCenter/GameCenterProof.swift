/// What a game gets of GameKit by `fetchItems(forIdentityVerificationSignature:)`, and sends.
public struct GameCenterProof: Hashable, Sendable {
  /// The `teamPlayerID`; of Apple Arcade's games, the `gamePlayerID`.
  public var playerID: String
  public var bundleID: String
  /// Milliseconds since 1970.
  public var timestamp: UInt64
  public var salt: [UInt8]
  public var signature: [UInt8]
  /// Where the certificate of the key is that signed.
  public var certificateURL: String

  public init(
    playerID: String, bundleID: String, timestamp: UInt64, salt: [UInt8], signature: [UInt8],
    certificateURL: String
  ) {
    self.playerID = playerID
    self.bundleID = bundleID
    self.timestamp = timestamp
    self.salt = salt
    self.signature = signature
    self.certificateURL = certificateURL
  }

  /// The bytes that are signed.
  var signed: [UInt8] {
    let time = (0..<8).map { UInt8(truncatingIfNeeded: timestamp >> (56 - 8 * UInt64($0))) }
    return Array(playerID.utf8) + Array(bundleID.utf8) + time + salt
  }
}
