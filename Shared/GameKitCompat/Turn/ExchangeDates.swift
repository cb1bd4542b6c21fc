internal import Foundation

/// When this client has first heard of exchanges and of the replies in them, for as long as the
/// game runs. The server does not tell, and a date must not change each time a match is loaded.
@MainActor
final class ExchangeDates {
  static let shared = ExchangeDates()
  /// Of more than a player's matches have at once, the oldest are forgotten.
  static let countMax = 1000

  private var dates: [String: Date] = [:]
  /// The names in the order in which they were heard.
  private var names: [String] = []

  func firstHeard(_ name: String) -> Date {
    if let date = dates[name] { return date }
    if names.count == Self.countMax { dates[names.removeFirst()] = nil }
    let date = Date()
    dates[name] = date
    names.append(name)
    return date
  }
}
