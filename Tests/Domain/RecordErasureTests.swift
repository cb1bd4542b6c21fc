import TestKit
import Testing
import Wire

@testable import Domain

/// What the audit keeps of a message about an erased player (rule 7.3).
struct RecordErasureTests {
  private let erasure = Erasure(of: .sample(1), as: .sample(9))
  private let identity = RoutingKey(high: 3, low: 4)

  struct Claim: Message {
    var identity = RoutingKey()
    var board = RoutingKey()
    var player = PlayerID()
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("identity", &identity)
      visit.field("board", &board)
      visit.field("player", &player)
    }
  }

  private func claim(_ player: PlayerID) -> Claim {
    Claim(identity: identity, board: identity, player: player)
  }

  @Test("7.3 hashes of the player's identities go from what was written down, those of others stay")
  func hashes() throws {
    let ofOther = claim(.sample(2)).encoded
    #expect(erasure.rest(ofRecord: ofOther, Claim.shape) == ofOther)
    let rest = try Claim(
      decoding: erasure.rest(ofRecord: claim(.sample(1)).encoded, Claim.shape))
    #expect(rest.player == .sample(9) && rest.identity == RoutingKey(reinterpreting: rest.player))
    #expect(rest.board == identity, "it is another field's")
  }

  @Test("7.3 a message from which something follows keeps where an identity's state is")
  func effects() throws {
    let rest = try Claim(
      decoding: #require(erasure.rest(of: claim(.sample(1)).encoded, Claim.shape)))
    #expect(rest.player == .sample(9) && rest.identity == identity)
  }

  @Test("7.3 of a message that cannot be read at least the id goes")
  func unreadable() {
    let bytes = PlayerID.sample(1).bytes + [7]
    #expect(erasure.rest(ofRecord: bytes, nil) == PlayerID.sample(9).bytes + [7])
    #expect(erasure.rest(ofRecord: bytes, Claim.shape) == PlayerID.sample(9).bytes + [7])
  }
}
