public import Foundation

/// What a deep link into the game carries: a text of the game's own, and what the link is about.
///
/// A link counts when it has `payload` and at least one of `game_request_id`, `context_token_id`
/// and `tournament_id`; the first of these three, in this order, is what it is about. They are
/// query items of the link, or members of the `extras` object in its query item `al_applink_data`,
/// which is JSON.
public final class GamingPayload: NSObject {
  enum Subject: Equatable, Sendable {
    case gameRequest(String)
    case gamingContext(String)
    case tournament(String)
  }

  public var URL: AppLinkURL
  /// The game's own text; empty where the link has none.
  public var payload: String
  /// What the link is about; nil for a link that does not count.
  let subject: Subject?

  /// Any link makes a payload. Observers are told only of those that count.
  public init(URL: AppLinkURL) {
    self.URL = URL
    let texts = URL.texts
    payload = texts["payload"] ?? ""
    subject = texts["payload"] == nil ? nil : Self.subject(of: texts)
    super.init()
  }

  /// Returns nil for a link that does not count.
  public convenience init?(url: Foundation.URL) {
    self.init(URL: AppLinkURL(url: url))
    if subject == nil { return nil }
  }

  private static func subject(of texts: [String: String]) -> Subject? {
    if let id = texts["game_request_id"] { return .gameRequest(id) }
    if let token = texts["context_token_id"] { return .gamingContext(token) }
    return texts["tournament_id"].map { .tournament($0) }
  }
}
