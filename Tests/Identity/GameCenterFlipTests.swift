import Identity
import Testing

@Suite("Game Center proofs with a flaw")
struct GameCenterFlipTests {
  @Test("No flipped bit of a proof leaves it right")
  func everyBitOfTheProof() throws {
    let world = try GameCenterWorld()
    let key = try world.trust.key(certificate: world.certificate, now: world.now)
    let right = world.proof()
    var accepted = 0
    func attempt(_ change: (inout GameCenterProof) -> Void) {
      var proof = right
      change(&proof)
      let identity = try? world.provider.verify(proof, with: key, now: world.now)
      accepted += identity == nil ? 0 : 1
    }
    attempt { _ in }
    #expect(accepted == 1)
    for bit in 0..<8 {
      let mask = UInt8(1) << UInt8(bit)
      for place in right.signature.indices { attempt { $0.signature[place] ^= mask } }
      for place in right.salt.indices { attempt { $0.salt[place] ^= mask } }
      for place in right.playerID.utf8.indices {
        attempt { $0.playerID = flipped($0.playerID, place, mask) }
      }
      for place in right.bundleID.utf8.indices {
        attempt { $0.bundleID = flipped($0.bundleID, place, mask) }
      }
    }
    for bit in UInt64(0)..<64 { attempt { $0.timestamp ^= 1 << bit } }
    #expect(accepted == 1)
  }

  @Test("No flipped bit of the certificate leaves its key trusted")
  func everyBitOfTheCertificate() throws {
    let world = try GameCenterWorld()
    var accepted = 0
    for place in world.certificate.indices {
      for bit in 0..<8 {
        var certificate = world.certificate
        certificate[place] ^= 1 << UInt8(bit)
        accepted += (try? world.trust.key(certificate: certificate, now: world.now)) == nil ? 0 : 1
      }
    }
    #expect(accepted == 0)
    _ = try world.trust.key(certificate: world.certificate, now: world.now)
  }

  private func flipped(_ text: String, _ place: String.Index, _ mask: UInt8) -> String {
    var bytes = Array(text.utf8)
    bytes[text.utf8.distance(from: text.utf8.startIndex, to: place)] ^= mask
    return String(decoding: bytes, as: UTF8.self)
  }
}
