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
    _ = inbox.began(at: 0, now: 0)
    return inbox
  }

  private func words(_ actions: [MatchInviteInbox.Action]) -> [String] {
    actions.compactMap { action in
      switch action {
      case .answer: "answer"
      case .close: nil
      case .tell(.closed): "closed"
      case .tell(.received): "received"
      case .tell(.ended): "ended"
      case .tell(.answered(_, let answer)): "\(answer)"
      case .tell: "other"
      }
    }
  }

  private func event<E: Event>(_ event: E, at time: Int64 = 0) -> PlayerEvent {
    var stored = StreamEvent()
    stored.time = time
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
    #expect(words(inbox.began(at: 0, now: 0)) == ["answer"])
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

  private func invitation(_ number: UInt64, to context: ContextID? = nil, at time: Int64 = 0)
    -> PlayerEvent
  {
    var invitation = MatchInvitation()
    (invitation.inviter, invitation.invite) = (reference.inviter, .sample(number))
    // Another service's clock counts for nothing.
    (invitation.context, invitation.expiresAt) = (context, 1)
    invitation.waitMilliseconds = 60_000
    return event(invitation, at: time)
  }

  @Test("3.6 who got a seat in a running match is not told that the invitation was over")
  func lostReplyOfSeat() {
    var inbox = inbox()
    _ = inbox.heard(invitation(2, to: .sample(9)), now: 0)
    _ = inbox.heard(invitation(3, to: .sample(8)), now: 0)
    _ = inbox.heard(invitation(4), now: 0)
    _ = inbox.accept(reference)
    var found = MatchFound()
    (found.context, found.number) = (.sample(9), 4)
    #expect(words(inbox.heard(event(found), now: 0)) == ["other"])
    let gone = Result<MatchInviteAnswer, MusterError>.failure(MusterError(.notFound, ""))
    #expect(words(inbox.answered(reference, gone, isConnected: true)) == ["accepted"])
    #expect(inbox.listened(now: 0).news.count == 2, "the others are open")
  }

  @Test("3.6 an invitation to a running match that was missed with its end is not shown")
  func missedWithItsEnd() {
    var inbox = MatchInviteInbox()
    _ = inbox.listened(now: 0)
    #expect(inbox.heard(invitation(2, to: .sample(9)), now: 0).isEmpty)
    var found = MatchFound()
    found.context = .sample(9)
    #expect(words(inbox.heard(event(found), now: 0)) == ["other"])
    #expect(inbox.began(at: 0, now: 0).isEmpty)
    #expect(inbox.listened(now: 0).news.isEmpty)
  }

  @Test("3.6 an invitation that was missed is shown for as long as it can still be answered")
  func missed() {
    var inbox = MatchInviteInbox()
    _ = inbox.listened(now: 0)
    // The replay comes before the session.
    #expect(inbox.heard(invitation(2, at: 1_000_000), now: 500).isEmpty)
    #expect(inbox.heard(invitation(3, at: 1_030_000), now: 500).isEmpty)
    #expect(words(inbox.began(at: 1_060_000, now: 500)) == ["received"])
    // What is read later is older by then, if the server has said so.
    let answered = event(MatchInviteAnswered(), at: 1_070_000)
    #expect(words(inbox.heard(answered, now: 10_500)) == ["other"])
    #expect(inbox.heard(invitation(4, at: 1_010_000), now: 10_500).isEmpty)
    #expect(words(inbox.heard(invitation(5, at: 1_010_001), now: 10_500)) == ["received"])
    #expect(inbox.listened(now: 10_500).news.count == 2)
    #expect(inbox.listened(now: 10_501).news.count == 1)
    #expect(inbox.listened(now: 30_500).news.isEmpty)
    inbox.disconnected()
    #expect(inbox.heard(invitation(6, at: 1_100_000), now: 40_000).isEmpty)
    #expect(words(inbox.began(at: 1_159_999, now: 40_000)) == ["received"])
    inbox.disconnected()
    #expect(inbox.heard(invitation(7, at: 1_160_000), now: 40_000).isEmpty)
    inbox.ended()
    #expect(inbox.began(at: 1_160_000, now: 40_000).isEmpty, "it was of another player")
  }

  @Test("3.6 an invitation is closed once, when its time is up or another answer was given")
  func closed() {
    var inbox = inbox()
    let actions = inbox.heard(invitation(2, at: 0), now: 500)
    guard case .close(reference, afterMilliseconds: 60_000) = actions.last else {
      Issue.record("nobody looks after it")
      return
    }
    #expect(words(inbox.timeIsUp(for: reference)) == ["closed"])
    #expect(inbox.timeIsUp(for: reference).isEmpty)
    var answer = AnswerMatchInvite()
    (answer.inviter, answer.invite) = (reference.inviter, .sample(3))
    _ = inbox.heard(invitation(3), now: 500)
    answer.answer = .declined
    #expect(words(inbox.called(answer, .declined)) == ["closed"])
    #expect(inbox.heard(invitation(3), now: 500).isEmpty, "it is not asked about again")
    let declined = MatchInviteReference(inviter: reference.inviter, invite: .sample(3))
    #expect(words(inbox.accept(declined)) == ["declined"])
    _ = inbox.heard(invitation(4), now: 500)
    let accepted = MatchInviteReference(inviter: reference.inviter, invite: .sample(4))
    _ = inbox.accept(accepted)
    (answer.invite, answer.answer) = (.sample(4), .accepted)
    #expect(inbox.called(answer, .accepted).isEmpty, "its own answer is told otherwise")
    let reply = Result<MatchInviteAnswer, MusterError>.success(.accepted)
    #expect(words(inbox.answered(accepted, reply, isConnected: true)) == ["accepted"])
    #expect(inbox.timeIsUp(for: accepted).isEmpty)
  }

  @Test("3.6 a clock of the client's that runs fast hides no invitation that comes in time")
  func fastClock() {
    var inbox = MatchInviteInbox()
    _ = inbox.listened(now: 0)
    _ = inbox.began(at: 1_000_000, now: 500)
    // By the server's clock it is 1_030_000, or not much later.
    #expect(words(inbox.heard(invitation(2, at: 1_030_000), now: 90_501)) == ["received"])
    #expect(inbox.listened(now: 90_502).news.count == 1)
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
