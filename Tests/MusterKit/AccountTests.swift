import MusterKit
import Testing

@Suite struct AccountTests {
  @Test("7.2 an attempt is drawn, and its hash is what Apple is given")
  func attempt() {
    let attempt = IdentityAttempt()
    #expect(attempt.number != IdentityAttempt().number && !attempt.number.isNil)
    // printf '' | sha256sum
    #expect(
      attempt.hashedNonce == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let proof = attempt.proof(provider: "chess", token: "a.b.c")
    #expect(proof.attempt == attempt.number && proof.provider == "chess" && proof.nonce.isEmpty)
    #expect(proof.token.array == Array("a.b.c".utf8))
    #expect(attempt.proof(GameCenterSignature()).provider == "gamecenter")
  }

  @Test("7.2 a conflict tells both players, and a ban its end")
  func details() {
    let players = IdentityConflict(owner: PlayerID(high: 1, low: 1), player: PlayerID())
    let conflict = MusterError(
      .conflict, argument: "proof", "Another's.", detail: players.encoded)
    #expect(conflict.identityConflict == players && conflict.ban == nil)
    #expect(MusterError(.conflict, argument: "version", "").identityConflict == nil)
    var ban = Ban()
    ban.until = 7
    let banned = MusterError(.banned, "Banned.", detail: ban.encoded)
    #expect(banned.ban == ban && banned.identityConflict == nil)
    #expect(MusterError(.banned, "Banned.").ban == nil, "not: for good, in all games")
  }

  @Test("7.2 a sign-in that is refused for a ban is not tried again")
  func banned() { #expect(!FailureCode.banned.isTransient) }
}
