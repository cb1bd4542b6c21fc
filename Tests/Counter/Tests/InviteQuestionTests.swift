import MusterKit
import Testing

@testable import GameKitCompat
@testable import collab_counter

/// What the player sees of an invitation, and when it goes.
@MainActor
@Suite struct InviteQuestionTests {
  private final class Changes {
    let stream = AsyncStream.makeStream(of: Void.self)

    func next() async {
      var iterator = stream.stream.makeAsyncIterator()
      await iterator.next()
    }
  }

  private let changes = Changes()

  private func question() -> InviteQuestion {
    InviteQuestion { [changes] in changes.stream.continuation.yield() }
  }

  private func invite(_ number: UInt64) -> GKInvite {
    GKInvite(
      MatchInviteReference(
        inviter: PlayerID(high: 1, low: 1), invite: MatchInviteID(high: 2, low: number)),
      nil, senderName: "Ada")
  }

  @Test("3.6 the question goes from the screen when the invitation is over")
  func withdrawn() async {
    let (question, invite) = (question(), invite(1))
    let asking = Task { await question.ask(about: invite) }
    await changes.next()
    #expect(question.invite === invite)
    asking.cancel()
    #expect(await asking.value == nil)
    #expect(question.invite == nil)
  }

  @Test("3.6 one question is asked at a time")
  func oneAtATime() async {
    let (question, first, second) = (question(), invite(1), invite(2))
    let asking = Task { await question.ask(about: first) }
    await changes.next()
    #expect(await question.ask(about: second) == nil)
    question.answer(true)
    #expect(await asking.value == true)
    await changes.next()
    let askingNext = Task { await question.ask(about: second) }
    await changes.next()
    #expect(question.invite === second)
    question.answer(false)
    #expect(await askingNext.value == false)
  }
}
