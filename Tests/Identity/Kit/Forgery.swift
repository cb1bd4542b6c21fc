import Identity
import Testing
import Wire

/// A proof that must be refused, and for which reason.
struct Forgery {
  let title: String
  let proof: String
  let error: IdentityError
  /// The nonce of the sign-in, where it is another one than the world's.
  var nonce: String??
  /// The time of the sign-in, where it is another one than the world's.
  var time: Int64?

  init(
    _ title: String, _ proof: String, _ error: IdentityError, nonce: String?? = nil,
    time: Int64? = nil
  ) {
    (self.title, self.proof, self.error) = (title, proof, error)
    (self.nonce, self.time) = (nonce, time)
  }
}

/// Tries each forgery and notes what is not refused for its reason. The right token must be taken
/// beside them, so that a world in which nothing is taken proves nothing.
func expectRefused(_ forgeries: [Forgery], in world: TokenWorld) throws {
  #expect(forgeries.count >= 25)
  #expect(Set(forgeries.map(\.title)).count == forgeries.count)
  var accepted = 0
  for forgery in forgeries {
    do {
      _ = try world.signIn(forgery.proof, nonce: forgery.nonce, at: forgery.time)
      accepted += 1
      Issue.record("accepted: \(forgery.title)")
    } catch let error as IdentityError {
      #expect(error == forgery.error, "\(forgery.title)")
      #expect(error.failure.code == .invalidCredential)
    }
  }
  #expect(accepted == 0)
  #expect(try world.signIn(world.token()).subject == "001234.player.0042")
}

/// The forgeries that are the same with every provider of tokens.
func commonForgeries(_ world: TokenWorld) -> [Forgery] {
  formForgeries(world) + timeForgeries(world) + claimForgeries(world) + keyForgeries(world)
}
