import Dialogs
import Locking
import MusterKit
import Testing

@testable import GameKitCompat

/// Composers that end without a challenge: the handler is called once for each.
extension GameKitTests.ComposerTests {
  private struct Failed: Error {}

  /// Waits until its task is cancelled, then answers all the same.
  private func answerLate(_ answered: AsyncStream<Void>.Continuation) async
    -> ChallengeDraft.Choice?
  {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
    answered.finish()
    return .init(playerIDs: [Self.friend], message: "Too late")
  }

  private func present() -> ChallengeComposeController? {
    let composer = GKScore(leaderboardIdentifier: "laps").challengeComposeController(
      withMessage: "Beat me", players: nil, completionHandler: ending.ids)
    screen.present(composer, animated: false)
    return composer as? ChallengeComposeController
  }

  @Test("6.1 Nobody is challenged when the player closes the composer")
  func closed() async {
    let client = GameKitTests.client()
    let composer = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect(composer?.error == nil && !client.asked.contains { $0 is IssueScoreChallenge })
  }

  @Test("6.1 Nobody is challenged when the presenter fails, or when there is none")
  func failed() async {
    let client = GameKitTests.client()
    presenter.challengeComposition = { _ in throw Failed() }
    let failed = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect(failed?.error is Failed)
    screen.dismiss(animated: false)
    GameKit.presenter = nil
    let unseen = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect((unseen?.error as? GKError)?.failure == .notAllowed)
    screen.dismiss(animated: false)
    GameKit.presenter = presenter
    client.setSignedIn(false)
    let nobodys = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect((nobodys?.error as? GKError)?.code == .notAuthenticated)
    #expect(ending.count == 3 && !client.asked.contains { $0 is IssueScoreChallenge })
  }

  @Test("6.1 A presenter that never answers ends as well, and is not heard later")
  func neverAnswered() async {
    let client = GameKitTests.client()
    GameKit.dialogTimeout = .milliseconds(1)
    let (late, answered) = AsyncStream.makeStream(of: Void.self)
    presenter.challengeComposition = { _ in await answerLate(answered) }
    let composer = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect((composer?.error as? GKError)?.failure == .deadlineExceeded)
    for await _ in late {}
    #expect(ending.count == 1 && !client.asked.contains { $0 is IssueScoreChallenge })
  }

  @Test("6.1 A composer that appears again does not ask again")
  func appearsAgain() async {
    _ = GameKitTests.client()
    let composer = present()
    composer?.viewDidAppear(false)
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    composer?.viewDidAppear(false)
    // Another one, which begins later, is the next to end.
    presenter.challengeComposition = { _ in throw Failed() }
    screen.dismiss(animated: false)
    let other = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect(other?.error is Failed && composer?.error == nil && ending.count == 2)
  }

  @Test("6.1 A composer that is covered for a while goes on")
  func covered() async {
    _ = GameKitTests.client()
    presenter.challengeComposition = { [screen] _ in
      let cover = UIViewController()
      cover.modalPresentationStyle = .fullScreen
      screen.presentedViewController?.present(cover, animated: false)
      for _ in 1...100 { await Task.yield() }
      throw Failed()
    }
    let composer = present()
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    #expect(composer?.error is Failed)
    screen.dismiss(animated: false)
  }

  @Test("6.1 A composer that the game takes from the screen ends as if the player had closed it")
  func dismissed() async {
    let client = GameKitTests.client()
    let (late, answered) = AsyncStream.makeStream(of: Void.self)
    let (shows, show) = AsyncStream.makeStream(of: Void.self)
    presenter.challengeComposition = { _ in
      show.finish()
      return await answerLate(answered)
    }
    let composer = present()
    for await _ in shows {}
    screen.dismiss(animated: true)
    #expect(await ending.next() == Ended(isIssued: false, players: nil))
    for await _ in late {}
    #expect(composer?.error == nil && ending.count == 1)
    #expect(!client.asked.contains { $0 is IssueScoreChallenge })
  }
}
