import Foundation
import MusterKit

/// What the app is started with.
struct CounterOptions {
  private(set) var link: CounterLink?
  let configuration: MusterConfiguration
  private var gateway = NetworkAddress("localhost:7400")
  private var authority = ".muster/certificates/authority.pem"
  private var game = "demo"
  private var file = ".muster/counter-player"
  private var name = "Counter"

  /// Nil for what cannot be read.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if let link = CounterLink(rawValue: word) {
        self.link = link
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch word {
      case "--gateway": gateway = NetworkAddress(value)
      case "--authority": authority = value
      case "--game": game = value
      case "--credential": file = value
      case "--name": name = value
      default: return nil
      }
    }
    guard let address = gateway else { return nil }
    configuration = MusterConfiguration(
      host: address.host, port: address.port, game: game, trust: .authority(authority))
  }

  /// The kept credential, or that of a new player, which is kept from now on.
  func credential(_ client: MusterClient) async throws -> Credential {
    let file = CredentialFile(path: file)
    if let kept = try file.read() { return kept }
    return try await file.fill { try await client.signUp(displayName: name) }
  }
}
