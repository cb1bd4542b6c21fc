public import Wire

/// Sent by a player: sends a request of this game to friends. A recipient sees the sender, and
/// never the other recipients.
///
/// Errors: those of `RequestContentRules`; `rateLimited` when the sender's budget is used up, and
/// then nothing was sent.
/// Cost: one effect per recipient.
public struct SendRequest: Operation {
  public static let opcode = Opcode(.request, 0x30)
  public var message = ""
  public var actionType = ActionType()
  public var objectID = ""
  /// The ids of players, as texts. A player named twice counts once.
  public var recipients: [String] = []
  public var recipientSuggestions: [String] = []
  public var filters = RequestFilter()
  public var data: String?
  public var title = ""
  public var cta = ""
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

/// Which players a client offers as recipients.
public struct RequestFilter: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let appUsers = Self(rawValue: 1)
  public static let appNonUsers = Self(rawValue: 2)
  public static let everybody = Self(rawValue: 3)

  public static let names = ["none", "appUsers", "appNonUsers", "everybody"]
}

/// What the server knows about delivery to one recipient when it accepts a request: `queued` or
/// `notReachable`. `RequestAnswered`, `RequestExpired` and `RequestDropped` tell how a queued one
/// ended.
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

  /// Never told by this server: a request is queued also where it arrives at once.
  public static let delivered = Self(rawValue: 0)
  /// The request is durable and on its way; a `RequestDropped` follows if it cannot be delivered.
  public static let queued = Self(rawValue: 1)
  /// The recipient is unknown, was erased, is no friend or blocks the sender; not told apart.
  public static let notReachable = Self(rawValue: 2)
  /// Told by `RequestDropped` alone: the recipient has very many open requests, or got very many in
  /// a row.
  public static let limitReached = Self(rawValue: 3)
  /// Never told by this server.
  public static let expiredToken = Self(rawValue: 4)

  public static let names = ["delivered", "queued", "notReachable", "limitReached", "expiredToken"]
}
