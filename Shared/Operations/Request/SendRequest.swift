public import Wire

/// Sent by a player: sends a request of this game to friends, and to whoever claims the sender's
/// invite tokens. A recipient sees the sender, and never the other recipients.
///
/// Errors: those of `RequestContentRules`; `rateLimited` when the sender's budget is used up;
/// `conflict` (recipients: with `isFrictionless`, when not every recipient is a friend who has
/// agreed to that). Nothing was sent then.
/// Cost: one effect or row per recipient; with `isFrictionless` also a fact from each, side by
/// side.
public struct SendRequest: Operation {
  public static let opcode = Opcode(.request, 0x30)
  public var message = ""
  public var actionType = ActionType()
  public var objectID = ""
  /// The ids of players, as texts, or the sender's own invite tokens as `CreateInviteTokens` has
  /// returned them. One that is named twice counts once.
  public var recipients: [String] = []
  public var recipientSuggestions: [String] = []
  public var filters = RequestFilter()
  public var data: String?
  public var title = ""
  public var cta = ""
  /// Whether the player was not shown the request before: then every recipient must have agreed to
  /// that, with `GrantConsent`.
  public var isFrictionless = false
  /// Whether the sender is told by `RequestDelivered` when the request is on a recipient's list.
  public var wantsReceipts = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("message", &message)
    visit.field("actionType", &actionType)
    visit.field("objectID", &objectID)
    visit.field("recipients", &recipients)
    visit.field("recipientSuggestions", &recipientSuggestions)
    visit.field("filters", &filters)
    visit.field("data", &data)
    visit.field("title", &title)
    visit.field("cta", &cta)
    visit.field("isFrictionless", &isFrictionless)
    visit.field("wantsReceipts", &wantsReceipts)
  }

  public struct Reply: Message {
    /// The identifier of the request in events and in deep links.
    public var request = RequestID()
    public var recipients: [RecipientOutcome] = []
    /// Sentences about content that is allowed but may be shown badly.
    public var warnings: [String] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("request", &request)
      visit.field("recipients", &recipients)
      visit.field("warnings", &warnings)
    }
  }
}

/// What a request asks its recipients to do.
public struct ActionType: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let send = Self(rawValue: 1)
  public static let askFor = Self(rawValue: 2)
  public static let turn = Self(rawValue: 3)
  public static let invite = Self(rawValue: 4)

  public static let names = ["none", "send", "askFor", "turn", "invite"]
}

/// Which of the player's friends a selector offers as recipients. `none` and `everybody` offer all.
public struct RequestFilter: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let appUsers = Self(rawValue: 1)
  public static let appNonUsers = Self(rawValue: 2)
  public static let everybody = Self(rawValue: 3)

  public static let names = ["none", "appUsers", "appNonUsers", "everybody"]
}

/// What the server knows about delivery to one recipient when it accepts a request: all but
/// `delivered` and `rateLimited`, which only events tell. How a queued one ended is told by
/// `RequestAnswered`, `RequestExpired` and `RequestDropped`; `RequestDelivered` tells that it has
/// arrived.
public struct RecipientOutcome: Message {
  /// The recipient's text as the sender wrote it.
  public var recipient = ""
  public var outcome = DeliveryOutcome()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("recipient", &recipient)
    visit.field("outcome", &outcome)
  }
}

/// Whether a request reaches a recipient, and if not, why.
public struct DeliveryOutcome: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The request is on the recipient's list: what `RequestDelivered` says.
  public static let delivered = Self(rawValue: 0)
  /// The request is durable and on its way; a `RequestDropped` follows if it cannot be delivered.
  /// With an invite token: it waits for whoever claims that.
  public static let queued = Self(rawValue: 1)
  /// The recipient is unknown, was erased, is no friend or blocks the sender, or it is an invite
  /// token that the sender has not made in this game; not told apart.
  public static let notReachable = Self(rawValue: 2)
  /// The recipient has many open requests of this sender, in this game or in all games, or the
  /// invite token has as many as may wait for it.
  public static let limitReached = Self(rawValue: 3)
  /// The invite token cannot be claimed any more: it has expired, was revoked or was claimed.
  public static let expiredToken = Self(rawValue: 4)
  /// The recipient got very many requests of this game in a row, of this sender or of all.
  public static let rateLimited = Self(rawValue: 5)

  public static let names = [
    "delivered", "queued", "notReachable", "limitReached", "expiredToken", "rateLimited",
  ]
}
