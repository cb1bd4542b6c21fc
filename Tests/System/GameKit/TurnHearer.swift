import Foundation
import GameKitCompat

/// Hears of turn-based matches.
@MainActor
final class TurnHearer: GKLocalPlayerListener {
  let told = ToldTexts()
  /// Of what was told last.
  private(set) var match: GKTurnBasedMatch?
  private(set) var exchange: GKTurnBasedExchange?

  private func tell(
    _ text: String, _ match: GKTurnBasedMatch, _ exchange: GKTurnBasedExchange? = nil
  ) {
    (self.match, self.exchange) = (match, exchange)
    told.tell(text)
  }

  func player(
    _ player: GKPlayer, receivedTurnEventFor match: GKTurnBasedMatch, didBecomeActive: Bool
  ) {
    tell("turn \(match.message ?? "none")", match)
  }
  func player(_ player: GKPlayer, matchEnded match: GKTurnBasedMatch) { tell("ended", match) }
  func player(
    _ player: GKPlayer, receivedExchangeRequest exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch
  ) {
    tell("asked \(Self.text(exchange.data))", match, exchange)
  }
  func player(
    _ player: GKPlayer, receivedExchangeCancellation exchange: GKTurnBasedExchange,
    for match: GKTurnBasedMatch
  ) {
    tell("taken back", match, exchange)
  }
  func player(
    _ player: GKPlayer, receivedExchangeReplies replies: [GKTurnBasedExchangeReply],
    forCompletedExchange exchange: GKTurnBasedExchange, for match: GKTurnBasedMatch
  ) {
    tell("replied \(replies.map { Self.text($0.data) }.joined(separator: ","))", match, exchange)
  }

  private static func text(_ data: Data?) -> String {
    String(decoding: data ?? Data(), as: UTF8.self)
  }
}
