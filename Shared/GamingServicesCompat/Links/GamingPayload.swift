public import Foundation

/// What a deep link into the game carries: a text of the game's own, and what the link is about.
///
/// A link counts when it has `payload` and at least one of `game_request_id`, `context_token_id`
/// and `tournament_id`; the first of these three, in this order, is what it is about, and the next
/// one for a delegate that leaves out the first one's method. They are query items of the link, or
/// members of the `extras` object in its query item `al_applink_data`, which is JSON.
public final class GamingPayload: NSObject {
  enum Subject: Equatable, Sendable {
    case gameRequest(String)
    case gamingContext(String)
    case tournament(String)
  }

  public var URL: AppLinkURL
  /// The game's own text; empty where the link has none.
  public var payload: String
  /// What the link is about; none for a link that does not count. A delegate that leaves out the
  /// first one's method is told of the next one.
  let subjects: [Subject]

  /// Any link makes a payload. Observers are told only of those that count.
  public init(URL: AppLinkURL) {
    self.URL = URL
    let texts = URL.texts
    payload = texts["payload"] ?? ""
    subjects = texts["payload"] == nil ? [] : Self.subjects(of: texts)
    super.init()
  }

  /// Returns nil for a link that does not count.
  public convenience init?(url: Foundation.URL) {
    self.init(URL: AppLinkURL(url: url))
    if subjects.isEmpty { return nil }
  }

  private static func subjects(of texts: [String: String]) -> [Subject] {
    [
      texts["game_request_id"].map { .gameRequest($0) },
      texts["context_token_id"].map { .gamingContext($0) },
      texts["tournament_id"].map { .tournament($0) },
    ].compactMap(\.self)
  }
}
