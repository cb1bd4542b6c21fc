public import Foundation

/// What a deep link into the game carries: a text of the game's own, and what the link is about.
///
/// A link counts when it has `payload` and at least one of `game_request_id`, `context_token_id`
/// and `tournament_id`; the first of these three, in this order, is what it is about. They are
/// query items of the link, or members of the `extras` object in its query item `al_applink_data`,
/// which is JSON.
public final class GamingPayload: Sendable {
  enum Subject: Equatable, Sendable {
    case gameRequest(String)
    case gamingContext(String)
    case tournament(String)
  }

  public let payload: String
  let subject: Subject

  /// The longest link that is read. What a game puts into one is a few hundred bytes.
  static let linkSizeMax = 16 << 10

  /// Returns nil for a link that does not count.
  public init?(url: URL) {
    let values = Self.values(of: url)
    guard let payload = values["payload"], let subject = Self.subject(of: values) else {
      return nil
    }
    self.payload = payload
    self.subject = subject
  }

  private static func subject(of values: [String: String]) -> Subject? {
    if let id = values["game_request_id"] { return .gameRequest(id) }
    if let token = values["context_token_id"] { return .gamingContext(token) }
    return values["tournament_id"].map { .tournament($0) }
  }

  /// The link's values that are not empty, except for the payload: that may be.
  private static func values(of url: URL) -> [String: String] {
    guard url.absoluteString.utf8.count <= linkSizeMax,
      let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems
    else { return [:] }
    var values: [String: String] = [:]
    for item in items where values[item.name] == nil { values[item.name] = item.value }
    if let data = values["al_applink_data"], let extras = Self.extras(in: data) { values = extras }
    return values.filter { !$0.value.isEmpty || $0.key == "payload" }
  }

  private static func extras(in data: String) -> [String: String]? {
    let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    return (object?["extras"] as? [String: Any])?.compactMapValues { $0 as? String }
  }
}
