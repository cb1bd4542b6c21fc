import Operations
import Wire

/// The simplest model of consents to requests without a dialog: who has given and revoked them, in
/// the order in which each giver's key took that.
struct ConsentModel {
  struct Pair: Hashable {
    var giver: PlayerID
    var holder: PlayerID
  }

  private struct Act {
    var isGrant: Bool
    var span: ClosedRange<Int64>
  }

  private var acts: [Pair: [Act]] = [:]
  /// What the holder has revoked at least once.
  private var revokedByHolder: Set<Pair> = []
  private var parted: Set<Set<PlayerID>> = []
  private(set) var counts: [Happening: Int] = [:]

  init(_ calls: [Ledger.Done]) throws(Violation) {
    for call in calls {
      if let (grant, _) = call.decoded(GrantConsent.self) {
        act(Pair(giver: call.player, holder: grant.player), isGrant: true, call)
      } else if let (revoke, _) = call.decoded(RevokeConsent.self) {
        if revoke.isHeld {
          revokedByHolder.insert(Pair(giver: revoke.player, holder: call.player))
        } else {
          act(Pair(giver: call.player, holder: revoke.player), isGrant: false, call)
        }
        counts[.consentsRevoked, default: 0] += 1
      } else if let (block, _) = call.decoded(BlockPlayer.self) {
        parted.insert([call.player, block.player])
      } else if let (remove, _) = call.decoded(RemoveFriend.self) {
        parted.insert([call.player, remove.player])
      }
    }
    for call in calls {
      guard let (send, reply) = call.decoded(SendRequest.self), send.isFrictionless else {
        continue
      }
      try check(reply, call)
    }
  }

  private mutating func act(_ pair: Pair, isGrant: Bool, _ call: Ledger.Done) {
    acts[pair, default: []].append(Act(isGrant: isGrant, span: call.span))
    if isGrant { counts[.consentsGiven, default: 0] += 1 }
  }

  /// A request without a dialog needs the consent of all its recipients, at some moment of the
  /// call.
  private mutating func check(_ reply: SendRequest.Reply, _ call: Ledger.Done) throws(Violation) {
    for outcome in reply.recipients {
      let recipient = PlayerID(outcome.recipient) ?? PlayerID()
      let acts = acts[Pair(giver: recipient, holder: call.player)] ?? []
      let before = acts.last { $0.span.upperBound < call.span.lowerBound }
      let isDuring = acts.contains { $0.isGrant && $0.span.overlaps(call.span) }
      guard before?.isGrant == true || isDuring else {
        throw Violation(
          description: "2.6 \(reply.request) was sent without a dialog, and without the consent of "
            + outcome.recipient)
      }
    }
    counts[.requestsWithoutDialog, default: 0] += 1
  }

  /// Whether a consent must hold in the end, or must not; nil where it depends on clocks.
  func holds(_ pair: Pair) -> Bool? {
    guard let last = acts[pair]?.last else { return false }
    if !last.isGrant { return false }
    return revokedByHolder.contains(pair) || mayHaveEnded(pair) ? nil : true
  }

  /// Whether a friendship of the two was ever ended.
  func mayHaveEnded(_ pair: Pair) -> Bool { parted.contains([pair.giver, pair.holder]) }
}
