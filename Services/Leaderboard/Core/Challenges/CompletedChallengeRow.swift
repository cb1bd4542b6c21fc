import Domain
import Operations
import Wire

struct CompletedChallengeKey: Message, Hashable {
  var boardKey = RoutingKey()
  /// Who completed it.
  var player = PlayerID()
  /// The board's number of the attempt that did.
  var attempt: UInt64 = 0
  var challenge = ChallengeID()
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("completedBy", &attempt)
    visit.field("challenge", &challenge)
  }
}

/// A completed score challenge at its board, in the store only: it opens again when the attempt that
/// completed it is removed. A player's are together, in the order of the attempts. It goes
/// `completedChallengeKept` after the completion, which is final from then on.
struct CompletedChallengeRow: Row {
  static let tableID: UInt16 = 45
  static let tableName = "completed_challenge"
  var key = CompletedChallengeKey()
  var completionDate: Int64 = 0
  /// As it was before.
  var challenge = Challenge()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("completedOn", &completionDate)
    challenge.fields(&visit)
  }
}

extension CompletedChallengeRow {
  init(_ challenge: Challenge, attempt: UInt64, at date: Int64, _ boardKey: RoutingKey) {
    key = CompletedChallengeKey(
      boardKey: boardKey, player: challenge.receiver, attempt: attempt, challenge: challenge.id)
    completionDate = date
    self.challenge = challenge
  }
}
