import Operations
import TestKit
import Testing
import Wire

@testable import MusterKit

/// What becomes of accepted invitations when answers are lost, and events come in another order.
@Suite struct MatchInviteInboxTests {
  private let reference = MatchInviteReference(inviter: .sample(1), invite: .sample(2))

  private func inbox() -> MatchInviteInbox {
    var inbox = MatchInviteInbox()
    _ = inbox.listened(now: 0)
    _ = inbox.began()
    return inbox
  }

  private func words(_ actions: [MatchInviteInbox.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .answer: "answer"
      case .tell(.received): "received"
      case .tell(.ended): "ended"
      case .tell(.answered(_, let answer)): "\(answer)"
      case .tell: "other"
      }
    }
  }

  private func event<E: Event>(_ event: E) -> PlayerEvent {
    var stored = StreamEvent()
    (stored.sequence, stored.kind) = (1, E.opcode.rawValue)
    stored.body = Bytes(event.encoded)
    return PlayerEvent(stored)
  }

  private func ended(context: ContextID? = nil) -> PlayerEvent {
    var ended = MatchInviteEnded()
    (ended.inviter, ended.invite) = (reference.inviter, reference.invite)
    ended.context = context
    return event(ended)
  }

  @Test("3.6 an acceptance without a reply fails where there is a connection, and can be tried")
  func unanswered() {
    var inbox = inbox()
    let late = MusterError(.deadlineExceeded, "")
    #expect(words(inbox.accept(reference)) == ["answer"])
    #expect(inbox.accept(reference).isEmpty)
    #expect(words(inbox.answered(reference, .failure(late), isConnected: true)) == ["failed"])
    #expect(words(inbox.accept(reference)) == ["answer"])
    #expect(inbox.answered(reference, .failure(late), isConnected: false).isEmpty)
    #expect(words(inbox.began()) == ["answer"])
  }

  @Test("3.6 who accepted what came to a match is not told that it was over", arguments: [0, 1, 2])
  func lostReply(order: Int) {
    var inbox = inbox()
    let gone = MusterError(.notFound, "")
    _ = inbox.accept(reference)
    if order == 0 {
      #expect(words(inbox.heard(ended(context: .sample(3)), now: 0)) == ["ended"])
      #expect(words(inbox.answered(reference, .failure(gone), isConnected: true)) == ["accepted"])
    } else if order == 1 {
      #expect(
        words(inbox.answered(reference, .success(.accepted), isConnected: true)) == ["accepted"])
      #expect(words(inbox.heard(ended(context: .sample(3)), now: 0)) == ["ended"])
    } else {
      #expect(words(inbox.answered(reference, .failure(gone), isConnected: true)) == ["noAnswer"])
      #expect(words(inbox.heard(ended(context: .sample(3)), now: 0)) == ["ended"])
    }
    #expect(words(inbox.accept(reference)) == ["accepted"])
  }

  @Test("3.6 an invitation whose end came first is not shown")
  func endFirst() {
    var inbox = inbox()
    var invitation = MatchInvitation()
    (invitation.inviter, invitation.invite) = (reference.inviter, reference.invite)
    invitation.expiresAt = 60_000
    #expect(words(inbox.heard(ended(), now: 0)) == ["ended"])
    #expect(inbox.heard(event(invitation), now: 0).isEmpty)
    #expect(inbox.listened(now: 0).news.isEmpty)
    #expect(words(inbox.accept(reference)) == ["noAnswer"])
  }
}
