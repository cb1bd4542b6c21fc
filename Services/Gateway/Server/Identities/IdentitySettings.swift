import Domain
import GatewayCore
import Identity
import Outgoing
import ServiceKit
import Transport
import Wire

extension NumberSetting {
  static let identitySeconds = NumberSetting(
    "identity-seconds", .seconds, default: 5, 1...30,
    "How long an identity provider may take to answer the gateway.")
  static let identityKeysFresh = NumberSetting(
    "identity-keys-fresh-seconds", .seconds, default: 300, 60...3600,
    "How long a provider's keys are taken for fresh at least, whatever it says.")
  /// At least as long as the longest `identityKeysFresh`.
  static let identityKeysKept = NumberSetting(
    "identity-keys-kept-seconds", .seconds, default: 24 * 3600, 3600...7 * 24 * 3600,
    "How old a provider's keys may be, also while it cannot be reached.")
  /// Steam answers 100,000 calls a day for each key.
  static let steamCalls = NumberSetting(
    "steam-calls-per-minute", .count, default: 60, 1...100_000,
    "Questions about tickets a minute that this gateway asks Steam, which counts them by the key.")
}

/// The settings of identity providers: each is off unless its first line is set.
enum IdentitySettings {
  static let all: [Setting] = [
    Setting(
      "apple-audiences",
      "Bundle ids of games that take Sign in with Apple, with commas between."),
    Setting("google-audiences", "Client ids of games that take Google's tokens, with commas."),
    Setting(
      "google-parties",
      "Client ids that may ask Google for such a token besides, with commas."),
    Setting("facebook-app", "The app id of a game that takes Facebook's limited login."),
    Setting(
      "custom-issuer", "The issuer in tokens of a game's own back end, which signs players in."),
    Setting("custom-provider", fallback: "custom", "What clients call that provider."),
    Setting("custom-audience", "The audience in its tokens."),
    Setting("custom-keys", "Its public key, a PEM file."),
    Setting("custom-keys-url", "Or where its document of keys (JWKS) is, over HTTPS."),
    Setting(
      "custom-nonce", .choice(["none", "plain", "sha256"]), fallback: "none",
      "Whether its tokens have the nonce of the sign-in, or the hash of it."),
    Setting("gamecenter-bundles", "Bundle ids of games that take Game Center, with commas."),
    Setting(
      "gamecenter-roots", "The roots of Game Center's certificates, a PEM file."),
    Setting(
      "gamecenter-intermediates", "Certificates between these and Game Center's own, a PEM file."),
    Setting("steam-app", "The number of a game that takes Steam tickets."),
    Setting("steam-identity", "The text that the game asks Steam for a ticket with."),
    Setting("steam-key", isSecret: true, "The publisher's key of Steam's web interface."),
    Setting(
      "steam-borrowed", .flag, fallback: "false", "Take players who borrow the game from its owner."
    ),
    Setting(
      "identity-authority",
      "A PEM file of the authorities to trust when providers are called; without it, the system's."),
    Setting(.identitySeconds), Setting(.identityKeysFresh), Setting(.identityKeysKept),
    Setting(.steamCalls),
  ]
}

/// Which identities the gateway takes, and how it calls their providers.
struct IdentityPlan: Sendable {
  var providers: IdentityProviders
  var calls = HTTPSSettings()

  init(_ providers: IdentityProviders) { self.providers = providers }

  init(_ configuration: Configuration) throws(ConfigurationError) {
    var byName: [String: IdentityProviders.Provider] = [:]
    let reader = ProviderReader(configuration: configuration)
    var faults = ConfigurationFaults()
    for read in [
      reader.apple, reader.google, reader.facebook, reader.custom, reader.gameCenter, reader.steam,
    ] {
      if let named = faults.attempt({ try read() }), let (name, provider) = named {
        byName[name] = provider
      }
    }
    let authority = faults.attempt { try reader.authority("identity-authority") }
    if let error = faults.error { throw error }
    let numbers = configuration.numbers
    providers = IdentityProviders(
      byName, freshMilliseconds: numbers[.identityKeysFresh]...numbers[.identityKeysKept],
      questionsPerMinute: numbers[.steamCalls])
    calls.authorityFile = authority ?? nil
    let milliseconds = Int(configuration.numbers[.identitySeconds])
    (calls.callMillisecondsMax, calls.connectMillisecondsMax) = (milliseconds, milliseconds)
  }

  typealias Named = (String, IdentityProviders.Provider)

  private struct ProviderReader {
    let configuration: Configuration

    /// Nil for a setting that is set to nothing, too.
    func text(_ name: String) -> String? {
      configuration[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    func needed(_ name: String, with other: String) throws(ConfigurationError) -> String {
      guard let text = text(name) else {
        throw ConfigurationError("--\(other) needs --\(name).")
      }
      return text
    }

    func list(_ name: String) throws(ConfigurationError) -> [String]? {
      guard let text = text(name) else { return nil }
      let items = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0).trimmed }
      guard !items.contains("") else {
        throw ConfigurationError("--\(name) has an empty item.")
      }
      return items
    }

    func file(_ name: String, with other: String) throws(ConfigurationError) -> [UInt8] {
      let path = try needed(name, with: other)
      guard let bytes = SystemFile.bytes(of: path) else {
        throw ConfigurationError("--\(name): \(path) cannot be read.")
      }
      return bytes
    }

    /// Returns the PEM text of certificates, one at least.
    func certificates(_ name: String, with other: String) throws(ConfigurationError) -> [UInt8] {
      let (path, bytes) = (try needed(name, with: other), try file(name, with: other))
      do throws(CertificateFault) {
        _ = try CertificateTrust(roots: bytes)
        return bytes
      } catch {
        throw ConfigurationError(
          "--\(name): \(path) has no certificate, or one that cannot be read.")
      }
    }

    /// Returns the path of the authorities that calls trust, also where no provider is called yet.
    func authority(_ name: String) throws(ConfigurationError) -> String? {
      guard let path = text(name) else { return nil }
      do throws(TLSError) {
        _ = try TLSClientContext(trust: .authority(path))
        return path
      } catch {
        throw ConfigurationError("--\(name): \(error)")
      }
    }

    func apple() throws(ConfigurationError) -> Named? {
      try list("apple-audiences").map { ("apple", .token(.apple(audiences: $0), keys: nil)) }
    }

    func google() throws(ConfigurationError) -> Named? {
      guard let audiences = try list("google-audiences") else { return nil }
      var provider = TokenProvider.google(audiences: audiences)
      provider.authorizedParties = try list("google-parties") ?? []
      return ("google", .token(provider, keys: nil))
    }

    func facebook() throws(ConfigurationError) -> Named? {
      text("facebook-app").map {
        ("facebook", .token(.facebookLimitedLogin(appID: $0), keys: nil))
      }
    }

    func custom() throws(ConfigurationError) -> Named? {
      let name = text("custom-provider") ?? "custom"
      guard let issuer = text("custom-issuer") else { return nil }
      try Self.check(customName: name)
      var provider = TokenProvider.custom(
        name: name, issuer: issuer,
        audience: try needed("custom-audience", with: "custom-issuer"))
      switch text("custom-nonce") {
      case "plain": provider.nonce = .plain
      case "sha256": provider.nonce = .sha256Hex
      default: provider.nonce = .notUsed
      }
      if let url = text("custom-keys-url") {
        do throws(HTTPSAddressError) {
          _ = try HTTPSAddress(url)
        } catch { throw ConfigurationError("--custom-keys-url: \(error).") }
        if text("custom-keys") != nil {
          throw ConfigurationError("--custom-keys and --custom-keys-url exclude each other.")
        }
        provider.keysURL = url
        return (name, .token(provider, keys: nil))
      }
      let pem = try file("custom-keys", with: "custom-issuer")
      do throws(KeyFault) {
        let key = try VerificationKey(pem: pem)
        return (name, .token(provider, keys: Identity.KeySet([key])))
      } catch {
        throw ConfigurationError(
          "--custom-keys is no public key of RSA (2,048 bits or more) or P-256 in PEM.")
      }
    }

    /// A name that is a known provider's, set up or not, would sign players in as that one's; what
    /// follows a colon is of this gateway's own making.
    private static func check(customName name: String) throws(ConfigurationError) {
      guard !["apple", "google", "facebook", "gamecenter", "steam"].contains(name) else {
        throw ConfigurationError("--custom-provider \(name) is the name of another provider.")
      }
      let isPlain = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
      guard isPlain, name.utf8.count <= 32 else {
        throw ConfigurationError(
          "--custom-provider has lowercase letters, digits and hyphens, at most 32.")
      }
    }

    func gameCenter() throws(ConfigurationError) -> Named? {
      guard let bundles = try list("gamecenter-bundles") else {
        for name in ["gamecenter-roots", "gamecenter-intermediates"] where text(name) != nil {
          throw ConfigurationError("--\(name) needs --gamecenter-bundles.")
        }
        return nil
      }
      guard let provider = GameCenterProvider(bundleIDs: bundles) else {
        throw ConfigurationError("--gamecenter-bundles: no id may end with another one.")
      }
      let roots = try certificates("gamecenter-roots", with: "gamecenter-bundles")
      let between =
        text("gamecenter-intermediates") == nil
        ? [] : try certificates("gamecenter-intermediates", with: "gamecenter-bundles")
      do throws(CertificateFault) {
        let trust = try CertificateTrust(roots: roots, intermediates: between)
        return ("gamecenter", .gameCenter(provider, trust))
      } catch {
        throw ConfigurationError("--gamecenter-roots: \(error)")
      }
    }

    func steam() throws(ConfigurationError) -> Named? {
      guard let app = text("steam-app") else { return nil }
      guard let number = UInt32(app) else {
        throw ConfigurationError("--steam-app is a whole number, not \(app).")
      }
      var provider = SteamProvider(
        appID: number, identity: try needed("steam-identity", with: "steam-app"),
        webKey: try needed("steam-key", with: "steam-app"))
      provider.allowsBorrowedGames = configuration.flag("steam-borrowed")
      return ("steam", .steam(provider))
    }
  }
}
