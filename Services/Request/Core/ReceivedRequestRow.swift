public import Domain
public import Operations
public import Wire

public struct ReceivedRequestKey: Message, Hashable, Comparable {
  public var player = PlayerID()
  public var request = RequestID()
  public init() {}
  public init(player: PlayerID, request: RequestID) {
    self.player = player
    self.request = request
  }
  public static var isFrozen: Bool { true }
  public static func < (left: Self, right: Self) -> Bool {
    (left.player, left.request) < (right.player, right.request)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("request", &request)
  }
}

/// A request that its recipient has neither answered nor deleted.
public struct ReceivedRequestRow: Row {
  public static let tableID: UInt16 = 21
  public static let tableName = "received_request"
  public var key = ReceivedRequestKey()
  public var game = ""
  public var received: Int64 = 0
  public var sender = PlayerID()
  public var senderName = ""
  public var message = ""
  public var actionType = ActionType()
  public var objectID = ""
  public var data: String?
  public var title = ""
  public var cta = ""
  public var sent: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("received", &received)
    visit.field("sender", &sender)
    visit.field("senderName", &senderName)
    visit.field("message", &message)
    visit.field("actionType", &actionType)
    visit.field("objectID", &objectID)
    visit.field("data", &data)
    visit.field("title", &title)
    visit.field("cta", &cta)
    visit.field("sent", &sent)
  }

  init(_ request: ReceivedRequest, for player: PlayerID, game: String, received: Int64) {
    key = ReceivedRequestKey(player: player, request: request.request)
    self.game = game
    self.received = received
    sender = request.sender
    senderName = request.senderName
    message = request.message
    actionType = request.actionType
    objectID = request.objectID
    data = request.data
    title = request.title
    cta = request.cta
    sent = request.sent
  }

  var request: ReceivedRequest {
    var request = ReceivedRequest()
    request.request = key.request
    request.sender = sender
    request.senderName = senderName
    request.message = message
    request.actionType = actionType
    request.objectID = objectID
    request.data = data
    request.title = title
    request.cta = cta
    request.sent = sent
    return request
  }
}
