import MusterKit

extension ChallengePage: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "challenges", empty: "no challenges", \.challenges,
        [
          .word("for") { $0.board.isEmpty ? $0.achievement : $0.board },
          .name("from") { $0.issuer }, .name("to") { $0.receiver },
          .number("value") { $0.board.isEmpty ? nil : $0.value }, .state("state", \.state),
          .text("message", \.message), .date("issued", \.issueDate),
          .date("expires", \.expiryDate), .id("challenge") { $0.id },
        ])
    ]
  }
}

extension IssueScoreChallenge.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "outcomes", empty: "nobody was challenged", \.outcomes,
        [
          .name { $0.receiver }, .word("outcome") { $0.outcome }, .id("player") { $0.receiver },
          .id("challenge") { $0.challenge },
        ])
    ]
  }
}

/// Who can be challenged to earn an achievement.
struct ChallengeablePlayers: Message {
  var players: [PlayerID] = []
  var refused: [ChallengeOutcome] = []

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("players", &players)
    visit.field("refused", &refused)
  }
}

extension ChallengeablePlayers: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "players", empty: "nobody can be challenged", \.players,
        [.name { $0 }, .id("player") { $0 }]),
      Listing(
        "refused", empty: "", \.refused,
        [
          .name { $0.receiver }, .state("refusal", \.refusal), .id("player") { $0.receiver },
        ]),
    ]
  }
}

extension ChallengeOutcome {
  fileprivate var outcome: String { challenge == nil ? refusal.description : "issued" }
}
