import COpenSSL
import Identity
import Testing

private struct GameCenterForgery {
  let title: String
  let proof: GameCenterProof
  var certificate: [UInt8]?
  let error: IdentityError
  var time: Int64?

  init(
    _ title: String, _ proof: GameCenterProof, _ error: IdentityError, certificate: [UInt8]? = nil,
    time: Int64? = nil
  ) {
    (self.title, self.proof, self.error) = (title, proof, error)
    (self.certificate, self.time) = (certificate, time)
  }
}

@Suite("Forged Game Center signatures")
struct GameCenterForgeryTests {
  @Test("Game Center: no wrong proof is accepted")
  func forgeries() throws {
    let world = try GameCenterWorld()
    let all =
      signatures(world) + fields(world) + borders(world) + addresses(world) + certificates(world)
    #expect(all.count >= 80)
    var accepted = 0
    for forgery in all {
      do {
        _ = try world.signIn(
          forgery.proof, certificate: forgery.certificate, at: forgery.time)
        accepted += 1
        Issue.record("accepted: \(forgery.title)")
      } catch let error as IdentityError {
        #expect(error == forgery.error, "\(forgery.title)")
      }
      #expect(ERR_peek_error() == 0)
    }
    #expect(accepted == 0)
    #expect(try world.signIn(world.proof()).subject == world.proof().playerID)
  }

  private func signatures(_ world: GameCenterWorld) -> [GameCenterForgery] {
    func signature(_ change: (inout [UInt8]) -> Void) -> GameCenterProof {
      var proof = world.proof()
      change(&proof.signature)
      return proof
    }
    return [
      GameCenterForgery("another's key", world.proof(by: Keys.rsaForger), .signatureWrong),
      GameCenterForgery("no signature", signature { $0 = [] }, .signatureSizeWrong),
      GameCenterForgery("a truncated one", signature { $0.removeLast() }, .signatureSizeWrong),
      GameCenterForgery("an oversized one", signature { $0.append(0) }, .signatureSizeWrong),
      GameCenterForgery(
        "a huge one", signature { $0 = [UInt8](repeating: 1, count: 1025) }, .signatureSizeWrong),
      GameCenterForgery("a bit flipped", signature { $0[100] ^= 4 }, .signatureWrong),
      GameCenterForgery(
        "zeros", signature { $0 = [UInt8](repeating: 0, count: 256) }, .signatureWrong),
      GameCenterForgery(
        "SHA-1",
        signature {
          $0 = Keys.rsa.sign(GameCenterWorld.signed(world.proof()), digest: "SHA1")
        }, .signatureWrong),
      GameCenterForgery(
        "RSA-PSS",
        signature {
          $0 = Keys.rsa.sign(GameCenterWorld.signed(world.proof()), isPSS: true)
        }, .signatureWrong),
      GameCenterForgery(
        "a P-256 signature",
        signature {
          $0 = Keys.p256.sign(GameCenterWorld.signed(world.proof()))
        }, .signatureSizeWrong),
    ]
  }

  /// Fields that were changed after signing, or are of no form.
  private func fields(_ world: GameCenterWorld) -> [GameCenterForgery] {
    func after(_ change: (inout GameCenterProof) -> Void) -> GameCenterProof {
      var proof = world.proof()
      change(&proof)
      return proof
    }
    func at(_ milliseconds: Int64) -> GameCenterProof {
      world.proof { $0.timestamp = UInt64(world.now + milliseconds) }
    }
    return [
      GameCenterForgery(
        "another player", after { $0.playerID = "T:_9f1e2d3c4b5a69788796a5b4c3d2e1f1" },
        .signatureWrong),
      GameCenterForgery("another game", after { $0.bundleID = "com.example.go" }, .signatureWrong),
      GameCenterForgery("a later time", after { $0.timestamp += 1 }, .signatureWrong),
      GameCenterForgery("another salt", after { $0.salt[0] ^= 1 }, .signatureWrong),
      GameCenterForgery(
        "an app of somebody else", world.proof { $0.bundleID = "com.forger.app" }, .bundleWrong),
      GameCenterForgery("no app", world.proof { $0.bundleID = "" }, .bundleWrong),
      GameCenterForgery("no salt", world.proof { $0.salt = [] }, .saltMalformed),
      GameCenterForgery(
        "a long salt", world.proof { $0.salt = [UInt8](repeating: 1, count: 65) }, .saltMalformed),
      GameCenterForgery("ten minutes old", at(-600_000), .timestampTooOld),
      GameCenterForgery("of 1970", world.proof { $0.timestamp = 0 }, .timestampTooOld),
      GameCenterForgery("in seconds", world.proof { $0.timestamp /= 1000 }, .timestampTooOld),
      GameCenterForgery("a minute ahead", at(60_001), .timestampInFuture),
      GameCenterForgery(
        "at the end of time", world.proof { $0.timestamp = .max }, .timestampInFuture),
      GameCenterForgery(
        "a right one, replayed later", world.proof(), .timestampTooOld, time: world.now + 598_000),
    ]
  }

  /// What is signed has no marks between its parts. Here a right signature for a stranger's app is
  /// cut at other places, and players have other forms than Game Center's.
  private func borders(_ world: GameCenterWorld) -> [GameCenterForgery] {
    /// - Parameter app: the bundle id of a stranger's app, for which Game Center has signed.
    func moved(
      _ app: String, _ title: String, _ error: IdentityError,
      _ change: (inout GameCenterProof) -> Void
    ) -> GameCenterForgery {
      var proof = world.proof { $0.bundleID = app }
      proof.bundleID = "com.example.chess"
      change(&proof)
      return GameCenterForgery(title, proof, error)
    }
    let digits = "9f1e2d3c4b5a69788796a5b4c3d2e1f0"
    let beginnings = ["k1", "a", "0", digits, "-", "T:_0"].map { start in
      moved("\(start)com.example.chess", "an app that begins with \(start)", .playerMalformed) {
        $0.playerID += start
      }
    }
    let endings = ["2", ".pro", "-----------"].map { end in
      moved("com.example.chess\(end)", "an app that ends with \(end)", .timestampInFuture) {
        (proof: inout GameCenterProof) in
        let rest = GameCenterWorld.signed(proof).dropFirst(proof.playerID.utf8.count + 17)
        let bytes = Array(end.utf8) + rest
        proof.timestamp = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        proof.salt = Array(bytes.dropFirst(8))
      }
    }
    let players = [
      "", digits, "T:\(digits)", "T_\(digits)", "T:_", "T:_\(digits)0", "T:_\(digits.dropLast())",
      "T:_\(digits.uppercased())", "t:_\(digits)", "U:_\(digits)", "G:123456789",
      "T:_\(digits.dropLast())g", "T:_\(digits.dropLast(4)).com", "".filled(to: 129),
      "T:_\(digits.dropLast(2))é",
    ].map { player in
      GameCenterForgery(
        "a player '\(player)'", world.proof { $0.playerID = player }, .playerMalformed)
    }
    return beginnings + endings + players
  }

  private func addresses(_ world: GameCenterWorld) -> [GameCenterForgery] {
    [
      "http://static.gc.apple.com/public-key/gc-prod-10.cer",
      "https://forger.example/public-key/gc-prod-10.cer",
      "https://static.gc.apple.com.forger.example/public-key/gc-prod-10.cer",
      "https://static.gc.apple.com@forger.example/public-key/gc-prod-10.cer",
      "https://static.gc.apple.com:8443/public-key/gc-prod-10.cer",
      "https://static.gc.apple.com/public-key/../forger/gc.cer",
      "https://static.gc.apple.com/public-key/gc.cer?redirect=forger.example/x.cer",
      "https://static.gc.apple.com/public-key/.cer",
      "https://static.gc.apple.com/public-key/gc-prod-10.cer\r\nHost: forger.example",
      "https://static.gc.apple.com/public-key/gc%2e.cer",
      "https://static.gc.apple.com/gc-prod-10.cer",
      "HTTPS://STATIC.GC.APPLE.COM/public-key/gc-prod-10.cer",
      "https://static.gc.apple.com/public-key/" + "".filled(to: 300) + ".cer",
      "file:///etc/passwd", "",
    ].map { url in
      GameCenterForgery(
        "address \(url)", world.proof { $0.certificateURL = url }, .certificateURLWrong)
    }
  }

  private func certificates(_ world: GameCenterWorld) -> [GameCenterForgery] {
    func certificate(
      _ title: String, _ bytes: [UInt8], _ fault: CertificateFault
    ) -> GameCenterForgery {
      GameCenterForgery(title, world.proof(), .certificate(fault), certificate: bytes)
    }
    func made(_ change: (inout Certificate.Facts) -> Void) -> [UInt8] {
      Certificates.made(change)
    }
    let forged = Certificates.made(by: Certificates.forgedAuthority)
    let selfSigned = Certificate(Keys.rsa, Certificate.Facts()).der
    // Signed by Game Center's own key, which is no authority's.
    let below = Certificates.made(key: Keys.rsaForger, by: Certificates.gameCenter)
    return [
      certificate("nothing", [], .malformed),
      certificate("no certificate", bytes("<html>not found</html>"), .malformed),
      certificate("a part of one", world.certificate.dropLast(), .malformed),
      certificate("something after it", world.certificate + [0], .malformed),
      certificate("in PEM", Certificates.gameCenter.pem, .malformed),
      certificate("huge", [UInt8](repeating: 0x30, count: 64 * 1024 + 1), .malformed),
      certificate(
        "signed by itself", selfSigned,
        .untrusted(X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT)),
      certificate(
        "below a forged root of the same names", forged,
        .untrusted(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY)),
      certificate(
        "below a certificate that is no authority's", below,
        .untrusted(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY)),
      certificate(
        "expired", made { $0.valid = 1_600_000_000..<1_699_999_999 },
        .untrusted(X509_V_ERR_CERT_HAS_EXPIRED)),
      certificate(
        "not valid yet", made { $0.valid = 1_700_000_001..<1_800_000_000 },
        .untrusted(X509_V_ERR_CERT_NOT_YET_VALID)),
      certificate(
        "signed with SHA-1", made { $0.digest = "SHA1" },
        .untrusted(X509_V_ERR_CA_MD_TOO_WEAK)),
      certificate(
        "a weak key", Certificates.made(key: Keys.rsaWeak),
        .untrusted(X509_V_ERR_EE_KEY_TOO_SMALL)),
      certificate("a P-256 key", Certificates.made(key: Keys.p256), .keyUnusable),
      certificate("of another company", made { $0.organization = "Forger" }, .organizationWrong),
      certificate("of no company", made { $0.organization = nil }, .organizationWrong),
      certificate(
        "of two companies", made { $0.secondOrganization = "Forger" }, .organizationWrong),
      certificate(
        "for a web server", made { $0.extendedKeyUsage = "serverAuth" }, .purposeWrong),
      certificate("for encryption", made { $0.keyUsage = "keyEncipherment" }, .purposeWrong),
      certificate(
        "an authority that may sign code",
        made { ($0.isAuthority, $0.keyUsage) = (true, "keyCertSign,digitalSignature") },
        .purposeWrong),
      certificate("the authority's own", Certificates.authority.der, .purposeWrong),
      certificate("the root's own", Certificates.root.der, .purposeWrong),
    ]
  }
}
