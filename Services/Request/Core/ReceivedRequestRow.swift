import Domain
import Operations
import Wire

struct ReceivedRequestKey: RowKey {
  var player = PlayerID()
  var request = RequestID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("request", &request)
  }
}

/// A request that its recipient has neither answered nor deleted.
struct ReceivedRequestRow: Row {
  static let tableID: UInt16 = 21
  static let tableName = "received_request"
  var key = ReceivedRequestKey()
  var game = ""
  var received: Int64 = 0
  /// The request without its id, which is in the key.
  private var content = ReceivedRequest()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("received", &received)
    visit.field("sender", &content.sender)
    visit.field("senderName", &content.senderName)
    visit.field("message", &content.message)
    visit.field("actionType", &content.actionType)
    visit.field("objectID", &content.objectID)
    visit.field("data", &content.data)
    visit.field("title", &content.title)
    visit.field("cta", &content.cta)
    visit.field("sent", &content.sent)
  }

  var sender: PlayerID { content.sender }

  /// Its place in the player's list.
  var place: PageCursor<RequestKind> { PageCursor(time: received, id: key.request) }

  var request: ReceivedRequest {
    var request = content
    request.request = key.request
    return request
  }
}

extension ReceivedRequestRow {
  init(_ request: ReceivedRequest, for player: PlayerID, game: String, received: Int64) {
    key = ReceivedRequestKey(player: player, request: request.request)
    self.game = game
    self.received = received
    content = request
    content.request = RequestID()
  }
}
