import MusterKit

extension Inbox.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "requests", empty: "no requests", \.requests,
        [
          .text("from", \.senderName), .state("action", \.actionType), .text("title", \.title),
          .text("message", \.message), .text("object", \.objectID), .date("sent", \.sent),
          .id("request") { $0.request },
        ])
    ]
  }
}

extension SelectRecipients.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "recipients", empty: "no friends that these filters let through", \.recipients,
        [
          .text("name", \.profile.displayName), .text("alias", \.profile.alias),
          .flag("plays", \.profile.isAppUser), .flag("suggested", \.isSuggested),
          .flag("consented", \.hasConsented), .id("player") { $0.profile.player },
        ])
    ]
  }
}

extension InviteTokenInfo {
  fileprivate static var columns: [Column<Self>] {
    [
      .state("state", \.state), .name("claimed by") { $0.player }, .date("created", \.created),
      .date("expires", \.expires),
      .number("requests") { $0.requestCount == 0 ? nil : $0.requestCount },
      .word("token", \.token),
    ]
  }
}

extension ListInviteTokens.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "tokens", empty: "no tokens; make one with `muster token create`", \.tokens,
        InviteTokenInfo.columns)
    ]
  }
}

extension CreateInviteTokens.Reply: Listed {
  static var listings: [Listing<Self>] {
    [Listing("tokens", empty: "no tokens", \.tokens, InviteTokenInfo.columns)]
  }
}
