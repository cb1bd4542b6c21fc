import Domain
import Operations
import Wire

/// Events for players' streams.
extension Transaction {
  /// Appends an event to a player's stream, by an effect. The other player of the challenge counts
  /// as its sender.
  mutating func tell<E: Event>(
    _ event: E, to player: PlayerID, about challenge: Challenge, in game: String
  ) {
    let sender = challenge.issuer == player ? challenge.receiver : challenge.issuer
    effect(AppendEvent(event, to: player, from: sender), on: player, game: game)
  }

  /// Appends an event to the streams of a challenge's two players.
  mutating func tellBoth<E: Event>(_ event: E, of challenge: Challenge, in game: String) {
    for player in [challenge.receiver, challenge.issuer] {
      tell(event, to: player, about: challenge, in: game)
    }
  }

  /// Tells both players that a challenge was completed; to the receiver the event is local.
  mutating func tellBoth(_ completion: ChallengeCompleted, in game: String) {
    var event = completion
    event.isLocal = true
    tell(event, to: event.challenge.receiver, about: event.challenge, in: game)
    event.isLocal = false
    tell(event, to: event.challenge.issuer, about: event.challenge, in: game)
  }
}
