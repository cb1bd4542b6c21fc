internal import COpenSSL

/// Who a proof says a player is, after the proof was found to be right.
///
/// Nothing else of a proof is kept: no name and no address of a mailbox.
public struct VerifiedIdentity: Hashable, Sendable {
  /// The name that the deployment gave the provider. Subjects are told apart within one name.
  public let provider: String
  /// The provider's name for the player: 1 to 255 printable ASCII characters.
  public let subject: String
  /// From this time on the same proof is refused for its age, in milliseconds since 1970. Until
  /// then whoever accepts a proof only once has to remember its hash.
  public let validUntil: Int64
  /// SHA-256 of the bytes that the provider signed. It leaves the signature out, because of an
  /// ES256 signature anybody can make a second one that is right too.
  public let proofHash: [UInt8]
}

/// Whether a text may be a player's name with a provider.
public func isSubject(_ text: String) -> Bool {
  let bytes = text.utf8
  guard !bytes.isEmpty, bytes.count <= IdentityLimits.subjectSizeMax else { return false }
  return bytes.allSatisfy { (0x21...0x7e).contains($0) }
}

/// Compares texts by their bytes. `==` of `String` takes some different characters for the same,
/// such as the Kelvin sign for the letter K.
func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

extension [String] {
  func has(_ text: String) -> Bool { contains { isSame($0, text) } }
}

func sha256(_ bytes: [UInt8]) -> [UInt8] {
  OpenSSL.start()
  var hash = [UInt8](repeating: 0, count: 32)
  let result = unsafe EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil)
  precondition(result == 1, "OpenSSL has no SHA-256")
  return hash
}
