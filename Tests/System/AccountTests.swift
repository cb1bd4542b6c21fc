import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// Who players are by the word of others, told through a gateway and kept in several processes.
  @Suite struct Accounts {
    @Test("7.2 a player comes back by an identity on another device, also after all were killed")
    func comesBack() async throws {
      try await withIssuer { stack, issuer in
        let phone = MusterClient(stack.configuration)
        let attempt = try await phone.beginIdentity()
        let proof = try await issuer.proof("anna", attempt)
        let first = try await phone.signUp(with: proof, displayName: "Anna")
        let again = try await phone.signUp(with: proof, displayName: "Anna")
        #expect(again.credential == first.credential, "the same call, repeated")
        #expect(first.isNew && again.isNew)
        try await phone.signIn(first.credential)

        for name in ["request/1", "request/2", "gateway"] { try await stack.kill(name) }
        for name in ["request/1", "request/2", "gateway"] { try await stack.start(name) }
        let tablet = MusterClient(stack.configuration)
        let second = try await tablet.signIn(
          with: issuer.proof("anna", tablet.beginIdentity()), displayName: "Somebody")
        #expect(!second.isNew && second.credential.player == first.credential.player)
        #expect(second.credential.device != first.credential.device)
        #expect(try await tablet.identities().map(\.provider) == [TokenIssuer.provider])
        #expect(try await tablet.sessions().devices.count == 2)
        try await tablet.signOutEverywhereElse()
        await #expect(throws: MusterError.self) {
          try await MusterClient(stack.configuration).signIn(first.credential)
        }
        await phone.close()
        await tablet.close()
      }
    }

    @Test("7.2 a wrong token signs nobody in, and all are refused alike")
    func forged() async throws {
      try await withIssuer { stack, issuer in
        let client = MusterClient(stack.configuration)
        let attempt = try await client.beginIdentity()
        let used = try await issuer.proof("anna", attempt)
        _ = try await client.signUp(with: used, displayName: "Anna")
        let other = try await client.beginIdentity()
        let right = TokenIssuer.Claims(sub: "anna", nonce: other.nonce)
        let now = Int(Date().timeIntervalSince1970)
        var wrong: [(String, IdentityProof)] = []
        func add(_ title: String, _ token: String) {
          wrong.append((title, other.proof(provider: TokenIssuer.provider, token: token)))
        }
        func add(_ title: String, _ change: (inout TokenIssuer.Claims) -> Void) async throws {
          var claims = right
          change(&claims)
          add(title, try await issuer.token(claims))
        }
        try await add("expired") { ($0.iat, $0.exp) = (now - 900, now - 600) }
        try await add("issued in the future") { ($0.iat, $0.exp) = (now + 600, now + 900) }
        try await add("another issuer") { $0.iss = "https://login.go.example" }
        try await add("another audience") { $0.aud = "muster-go" }
        try await add("the nonce of the attempt before") { $0.nonce = attempt.nonce }
        try await add("no nonce of any gateway's") { $0.nonce = "made-up" }
        try await add("no subject") { $0.sub = "" }
        add("another's key", try await issuer.token(right, by: "forger"))
        add("no algorithm", try await issuer.token(right, algorithm: "none"))
        add("a shared secret", try await issuer.token(right, algorithm: "HS256"))
        add("the token of the attempt before", String(decoding: used.token.array, as: UTF8.self))
        let token = try await issuer.token(right)
        add("a short signature", String(token.dropLast(4)))
        add("no signature", token.split(separator: ".").dropLast().joined(separator: ".") + ".")
        wrong.append(("a stolen proof", stolen(used)))

        var refusals: Set<String> = []
        for (title, proof) in wrong {
          do throws(MusterError) {
            _ = try await client.signUp(with: proof, displayName: "Forger")
            Issue.record("taken: \(title)")
          } catch {
            #expect(error.code == .invalidCredential, "\(title): \(error)")
            refusals.insert(error.text)
          }
        }
        #expect(refusals.count == 1, "\(refusals)")
        let taken = try await client.signUp(
          with: other.proof(provider: TokenIssuer.provider, token: token), displayName: "Anna")
        #expect(!taken.isNew)
        await client.close()
      }
    }

    /// Without the attempt's number, which nobody but its player knows.
    private func stolen(_ proof: IdentityProof) -> IdentityProof {
      var proof = proof
      proof.attempt = IdentityAttempt().number
      return proof
    }

    @Test("7.2 an identity of two players is told to both, and moves by the word of its owner")
    func moves() async throws {
      try await withIssuer { stack, issuer in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        let linked = try await anna.client.link(
          issuer.proof("shared", anna.client.beginIdentity()))
        let proof = try await issuer.proof("shared", ben.client.beginIdentity())
        do throws(MusterError) {
          try await ben.client.link(proof)
          Issue.record("two players have one identity")
        } catch {
          #expect(error.identityConflict?.owner == anna.1.player)
        }
        try await ben.client.link(proof, movingFrom: anna.1.player)
        #expect(try await ben.client.identities().map(\.identity) == [linked])
        #expect(try await anna.client.identities().isEmpty)
        let other = MusterClient(stack.configuration)
        let found = try await other.signIn(with: issuer.proof("shared", other.beginIdentity()))
        #expect(found.credential.player == ben.1.player)

        for client in [anna.client, ben.client, other] { await client.close() }
      }
    }

    @Test("7.2 a ban ends the sessions, outlives a restart, and says why")
    func banned() async throws {
      try await withIssuer { stack, issuer in
        let anna = MusterClient(stack.configuration)
        let found = try await anna.signIn(
          with: issuer.proof("anna", anna.beginIdentity()), displayName: "Anna")
        let player = found.credential.player
        let ban = try Tools.muster(stack, ["ban", player.description, "--reason", "Cheated."])
        #expect(await ban.ended() == 0, "\(ban.errors)")
        for name in ["request/1", "request/2"] { try await stack.kill(name) }
        for name in ["request/1", "request/2"] { try await stack.start(name) }
        let proof = try await issuer.proof("anna", anna.beginIdentity())
        for way in [false, true] {
          do throws(MusterError) {
            let client = MusterClient(stack.configuration)
            if way { try await client.signIn(found.credential) }
            if !way { _ = try await client.signIn(with: proof) }
            Issue.record("signed in")
          } catch {
            #expect(error.code == .banned, "\(error)")
            #expect(error.ban?.reason == "Cheated.")
          }
        }
        let lift = try Tools.muster(stack, ["unban", player.description])
        #expect(await lift.ended() == 0, "\(lift.errors)")
        let client = MusterClient(stack.configuration)
        try await client.signIn(found.credential)
        await client.close()
        await anna.close()
      }
    }

    /// A deployment whose gateway takes the tokens of an issuer.
  }
}
