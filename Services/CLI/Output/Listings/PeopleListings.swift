import MusterKit

extension ListFriends.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "friends", empty: "nobody here yet; ask somebody with `muster friend invite PLAYER`",
        \.friends,
        [
          .name { $0.player }, .text("alias", \.alias), .state("state", \.state),
          .state("presence", \.presence), .id("player") { $0.player },
        ])
    ]
  }
}

extension ListRecentPlayers.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "players", empty: "nobody met yet", \.players,
        [
          .text("name", \.profile.displayName), .text("alias", \.profile.alias),
          .date("met", \.time), .state("presence", \.profile.presence),
          .id("player") { $0.profile.player },
        ])
    ]
  }
}

extension SuggestFriends.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "suggestions", empty: "no friends of friends", \.suggestions,
        [
          .text("name", \.profile.displayName), .text("alias", \.profile.alias),
          .number("mutual friends", \.mutualFriends), .id("player") { $0.profile.player },
        ])
    ]
  }
}

extension InviteFriends.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "outcomes", empty: "nobody was asked", \.outcomes,
        [
          .name { $0.player }, .state("state", \.state),
          .word("refusal") { $0.refusal?.description ?? "" }, .id("player") { $0.player },
        ])
    ]
  }
}

extension GetProfiles.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "profiles", empty: "nobody", \.profiles,
        [
          .text("name", \.displayName), .text("alias", \.alias), .state("presence", \.presence),
          .flag("plays", \.isAppUser), .flag("reachable", \.isReachable),
          .id("player") { $0.player },
        ])
    ]
  }
}

extension ListConsents.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "consents", empty: "no consents; give one with `muster consent give PLAYER`", \.consents,
        [
          .name { $0.player }, .flag("given", \.isGiven), .flag("held", \.isHeld),
          .id("player") { $0.player },
        ])
    ]
  }
}
