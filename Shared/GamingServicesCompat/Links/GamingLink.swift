internal import Foundation

/// What a link into the game is about.
struct GamingLink: Equatable {
  enum Target: Equatable {
    case gameRequest(String)
    case context(String)
    case tournament(String)
  }

  let payload: String
  let target: Target

  /// Reads the parts of a URL's query. A link counts when it has a `payload` and at least one of
  /// `game_request_id`, `context_token_id` and `tournament_id`, the first of which decides; an
  /// empty id is none. Nil for any other URL.
  init?(_ url: URL) {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    func identifier(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let payload = value("payload") else { return nil }
    self.payload = payload
    if let id = identifier("game_request_id") {
      target = .gameRequest(id)
    } else if let id = identifier("context_token_id") {
      target = .context(id)
    } else if let id = identifier("tournament_id") {
      target = .tournament(id)
    } else {
      return nil
    }
  }
}
