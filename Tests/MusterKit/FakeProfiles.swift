import MusterKit

/// A list of friends, and photos that come in pieces.
struct FakeProfiles {
  var friendCount: UInt64 = 0
  /// One who lives where the gateway cannot ask: a page with profiles cannot be had.
  var unreachable: UInt64?
  private(set) var lists: [ListFriends] = []
  private(set) var pieces: [UInt32] = []
  var received: UInt32 = 0
  /// Of the next photo that is whole.
  var fault = PhotoFault.none

  mutating func list(_ operation: ListFriends) -> Result<ListFriends.Reply, Failure> {
    lists.append(operation)
    let start = UInt64(operation.cursor) ?? 0
    let limit = operation.limit == 0 ? 150 : UInt64(operation.limit)
    let end = min(start + limit, friendCount)
    if operation.limit > 0, let unreachable, (start..<end).contains(unreachable) {
      return .failure(Failure(.unavailable, "The request service cannot be reached."))
    }
    var reply = ListFriends.Reply()
    for number in start..<end {
      var friend = Friend()
      (friend.player, friend.state) = (PlayerID(high: 5, low: number), .friends)
      if operation.limit > 0 { friend.presence = .online }
      reply.friends.append(friend)
    }
    if end < friendCount { reply.cursor = "\(end)" }
    return .success(reply)
  }

  mutating func put(_ piece: PutPhotoPiece) -> Result<PutPhotoPiece.Reply, Failure> {
    pieces.append(piece.offset)
    var reply = PutPhotoPiece.Reply()
    if piece.offset == received { received += UInt32(piece.bytes.array.count) }
    reply.received = received
    if received == piece.byteCount {
      received = 0
      reply.fault = fault
      reply.isDone = fault == .none
    }
    return .success(reply)
  }
}
