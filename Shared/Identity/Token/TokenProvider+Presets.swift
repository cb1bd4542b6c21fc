extension TokenProvider {
  /// Sign in with Apple.
  ///
  /// Apple's pages say how a token is verified: issuer and address of the keys as below, the
  /// audience is the app's bundle id or the service's id, the keys are RSA. The subject is the
  /// same in all apps of a developer's team. Apple hands the nonce on as it gets it; by the
  /// custom of Apple's platforms that is the hash of the game's own.
  ///
  /// Its tokens are valid for up to a day.
  public static func apple(name: String = "apple", audiences: [String]) -> Self {
    var provider = Self(
      name: name, issuers: ["https://appleid.apple.com"], audiences: audiences,
      keysURL: "https://appleid.apple.com/auth/keys", nonce: .sha256Hex)
    provider.algorithms = [.rs256, .es256]
    provider.ageSecondsMax = 24 * 3600
    return provider
  }

  /// Google. Both issuers are in use. With a token for the game's server, the audience is the
  /// server's client id and the authorized party that of the game on the device.
  public static func google(name: String = "google", audiences: [String]) -> Self {
    Self(
      name: name, issuers: ["https://accounts.google.com", "accounts.google.com"],
      audiences: audiences, keysURL: "https://www.googleapis.com/oauth2/v3/certs", nonce: .plain)
  }

  /// Facebook's limited login, whose tokens devices get without any tracking.
  ///
  /// The subject is a player's id within one app, so that the app's id is a part of the name.
  public static func facebookLimitedLogin(name: String = "facebook", appID: String) -> Self {
    Self(
      name: "\(name):\(appID)", issuers: ["https://www.facebook.com", "https://facebook.com"],
      audiences: [appID], keysURL: "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
      nonce: .plain)
  }

  /// A game's own back end, which has signed its player in and says so by a token of its own. The
  /// token counts once, which takes the place of a nonce.
  public static func custom(name: String, issuer: String, audience: String) -> Self {
    var provider = Self(
      name: name, issuers: [issuer], audiences: [audience], nonce: .notUsed)
    provider.algorithms = [.rs256, .es256]
    return provider
  }
}
