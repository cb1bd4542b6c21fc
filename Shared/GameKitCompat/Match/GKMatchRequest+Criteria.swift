internal import MusterKit

extension GKMatchRequest {
  /// The name of the queue in which the request waits.
  var groupName: String { queueName ?? "\(playerGroup)" }

  /// As `groupName`, for a game on the game's own server: who waits for such a game meets nobody
  /// who waits for a match of Muster's. Those who are invited know by this name what they are
  /// invited to. A queue's own name says nothing of it.
  var hostedGroupName: String { queueName ?? Self.hostedPrefix + "\(playerGroup)" }
  static let hostedPrefix = "hosted-"

  var criteria: MatchCriteria {
    get throws(GKError) {
      if minPlayers > maxPlayers {
        throw GKError(
          .invalidArgument, argument: "minPlayers", "The least players are more than the most.")
      }
      var criteria = MatchCriteria()
      criteria.minPlayers = UInt32(minPlayers)
      criteria.maxPlayers = UInt32(maxPlayers)
      criteria.playerAttributes = playerAttributes
      for (name, value) in (properties ?? [:]).sorted(by: { $0.key < $1.key }) {
        switch value {
        case let number as any BinaryInteger:
          criteria.numbers.append(TicketNumber(name, Int64(clamping: number)))
        case let word as String: criteria.words.append(TicketWord(name, word))
        default:
          throw GKError(
            .invalidArgument, argument: "properties", as: .matchRequestInvalid,
            "The property \(name) is neither a whole number nor a text.")
        }
      }
      return criteria
    }
  }

  /// The friends to invite.
  func invited() throws(GKError) -> [PlayerID] {
    let players = (recipients ?? []).map(\.identifier)
    if players.isEmpty || restrictToAutomatch { return [] }
    guard Set(players).count == players.count, players.count < maxPlayers else {
      throw GKError(
        .invalidArgument, argument: "recipients",
        "Each friend is named once, and there are no more than the match has room for.")
    }
    return players
  }

  /// Whether so many players are fewer than the match is to have at the start. With as many, those
  /// who are invited would else wait for strangers, for as long as the match has room for any.
  func wants(moreThan playerCount: Int) -> Bool {
    playerCount < max(minPlayers, min(defaultNumberOfPlayers, maxPlayers))
  }

  /// The same request, which whoever has it may change.
  func copy() -> GKMatchRequest {
    let copy = GKMatchRequest()
    (copy.minPlayers, copy.maxPlayers) = (minPlayers, maxPlayers)
    copy.defaultNumberOfPlayers = defaultNumberOfPlayers
    (copy.recipients, copy.inviteMessage) = (recipients, inviteMessage)
    (copy.playerGroup, copy.queueName) = (playerGroup, queueName)
    (copy.playerAttributes, copy.properties) = (playerAttributes, properties)
    copy.restrictToAutomatch = restrictToAutomatch
    copy.recipientResponseHandler = recipientResponseHandler
    copy.inviteeResponseHandler = inviteeResponseHandler
    return copy
  }
}
