public import Foundation

/// A link into the game, taken apart as app links are: what it is about may stand in the JSON of
/// its query item `al_applink_data`, in the object `extras`.
public final class AppLinkURL: NSObject {
  /// The link itself.
  public let inputURL: URL
  /// The query items of `inputURL`; of several with one name the last. A plus sign is a blank.
  public let inputQueryParameters: [String: Any]
  /// The link that the JSON names as `target_url`, or else the link itself.
  public let targetURL: URL
  public let targetQueryParameters: [String: Any]
  /// The JSON; nil where there is none.
  public let appLinkData: [String: Any]?
  /// `extras` of the JSON; nil where there are none.
  public var appLinkExtras: [String: Any]? { appLinkData?["extras"] as? [String: Any] }

  /// The longest link that is read. What a game puts into one is a few hundred bytes.
  static let sizeMax = 16 << 10

  public init(url: URL) {
    inputURL = url
    let items = Self.items(of: url)
    inputQueryParameters = items
    appLinkData = items["al_applink_data"].flatMap { text in
      try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    }
    let target = (appLinkData?["target_url"] as? String).flatMap { URL(string: $0) }
    targetURL = target ?? url
    targetQueryParameters = target.map { Self.items(of: $0) } ?? items
    super.init()
  }

  /// The application that sent the link makes no difference here.
  public convenience init(inboundURL: URL, sourceApplication: String?) {
    self.init(url: inboundURL)
  }

  private static func items(of url: URL) -> [String: String] {
    guard url.absoluteString.utf8.count <= sizeMax,
      let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems
    else { return [:] }
    var values: [String: String] = [:]
    for item in items {
      if let name = decoded(item.name), let value = decoded(item.value ?? "") {
        values[name] = value
      }
    }
    return values
  }

  /// Forms write blanks so, and so the SDK reads them.
  private static func decoded(_ text: String) -> String? {
    text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
  }

  /// The link's texts: those of `extras`, or else the query items. Empty ones do not count, except
  /// for the payload.
  var texts: [String: String] {
    let values = appLinkExtras ?? inputQueryParameters
    return values.compactMapValues { $0 as? String }
      .filter { !$0.value.isEmpty || $0.key == "payload" }
  }
}
