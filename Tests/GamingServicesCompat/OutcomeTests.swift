import Dialogs
import Dispatch
import Foundation
import Locking
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  /// Each dialog has one end, whoever shows it, and is told where the game wants to hear it.
  @MainActor
  @Suite("Outcomes of dialogs", .serialized)
  struct OutcomeTests {
    let contexts = ContextListener()
    let requests = RequestListener()

    func client() -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [FakeClient.context(1, with: [FakeClient.friend])]
        answers.friends = [FakeClient.makeFriend(FakeClient.friend, "Friend")]
      }
      GamingServicesTests.configure(client)
      return client
    }

    func content(to recipients: [String] = []) -> GameRequestContent {
      let content = GameRequestContent()
      (content.message, content.recipients) = ("Play with me", recipients)
      return content
    }

    @Test("1.6 a context dialog that nobody answers fails in time, and a late answer is not heard")
    func contextTimeLimit() async {
      let client = client()
      let presenter = LatePresenter()
      GamingServices.presenter = presenter
      GamingServices.dialogTimeLimit = .milliseconds(1)
      ChooseContextDialog(content: ChooseContextContent(), delegate: contexts).show()
      #expect(await contexts.next() == .failed(.deadlineExceeded, ""))
      let number = (contexts.errors.first as? GamingServicesError)?.code
      #expect(number == CoreError.errorBridgeAPIInterruption.rawValue)
      // The next dialog can be shown while the first one's presenter still waits.
      GamingServices.dialogTimeLimit = .seconds(600)
      let scripted = ScriptedPresenter()
      GamingServices.presenter = scripted
      scripted.contextChoice = { try await $0.contexts.next().first }
      let second = ContextListener()
      ChooseContextDialog(content: ChooseContextContent(), delegate: second).show()
      #expect(await second.next() == .completed)
      await presenter.answer()
      #expect(contexts.told == [.failed(.deadlineExceeded, "")])
      #expect(client.asked.count { $0 == "SwitchContext" } == 1)
    }

    @Test(
      "2.5 a request dialog that nobody answers fails in time, and a late answer is not sent",
      arguments: [[], [FakeClient.friend.description]])
    func requestTimeLimit(recipients: [String]) async {
      let client = client()
      let presenter = LatePresenter()
      GamingServices.presenter = presenter
      GamingServices.dialogTimeLimit = .milliseconds(1)
      GameRequestDialog.show(content: content(to: recipients), delegate: requests)
      #expect(await requests.next() == .failed(.deadlineExceeded, ""))
      await presenter.answer()
      GamingServices.presenter = nil
      let second = RequestListener()
      let friend = FakeClient.friend.description
      GameRequestDialog.show(content: content(to: [friend]), delegate: second)
      #expect(await second.next() == .completed)
      #expect(requests.told.count == 1)
      #expect(client.asked == ["SendRequest"])
    }

    @Test("1.6 2.5 delegates are told on the queue that the game has set")
    func queue() async throws {
      _ = client()
      let queue = DispatchQueue(label: "game")
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      GamingServices.delegateQueue = queue
      let listener = QueueListener { DispatchQueue.getSpecific(key: key) == true }
      var told = listener.told.makeAsyncIterator()
      let friend = FakeClient.friend.description
      CreateContextDialog(content: CreateContextContent(playerID: friend), delegate: listener)
        .show()
      #expect(await told.next() == "context completed true")
      CreateContextDialog(content: CreateContextContent(playerID: ""), delegate: listener).show()
      #expect(await told.next() == "context failed true")
      GameRequestDialog.show(content: content(to: [friend]), delegate: listener)
      #expect(await told.next() == "request completed true")
      GameRequestDialog.show(content: content(), delegate: listener)
      #expect(await told.next() == "request failed true")
      GamingServices.presenter = ScriptedPresenter()
      GameRequestDialog.show(content: content(), delegate: listener)
      #expect(await told.next() == "request cancelled true")
      ChooseContextDialog(content: ChooseContextContent(), delegate: listener).show()
      #expect(await told.next() == "context cancelled true")
    }

    @Test("1.2 1.4 1.5 1.6 2.2 content is checked without a network, a player or a client")
    func checkedFirst() {
      _ = client()
      GamingServices.configure(connection: nil)
      let choose = ChooseContextContent()
      (choose.minParticipants, choose.maxParticipants) = (3, 2)
      let dialogs = [
        ChooseContextDialog(content: choose, delegate: contexts),
        CreateContextDialog(content: CreateContextContent(playerID: ""), delegate: contexts),
        SwitchContextDialog(content: SwitchContextContent(contextID: ""), delegate: contexts),
      ]
      for dialog in dialogs { #expect(!dialog.show()) }
      #expect(
        contexts.told
          == ["minParticipants", "playerID", "contextToken"].map {
            .failed(.requiredArgument, $0)
          })
      let content = content()
      content.message = ""
      #expect(!GameRequestDialog(content: content, delegate: requests).show())
      #expect(requests.told == [.failed(.requiredArgument, "message")])
      // What is right needs a player.
      #expect(!GameRequestDialog(content: self.content(to: ["a"]), delegate: requests).show())
      #expect(requests.told.last == .failed(.notAuthenticated, ""))
    }

    @Test("2.5 what is sent is what the content said when the dialog was shown")
    func contentChanges() async {
      let client = client()
      let friend = FakeClient.friend.description
      let content = content(to: [friend])
      GameRequestDialog.show(content: content, delegate: requests)
      (content.message, content.recipients) = ("", [])
      #expect(await requests.next() == .completed)
      #expect(client.sent()?.message == "Play with me" && client.sent()?.recipients == [friend])
    }

    @Test("2.5 a request goes out without a delegate, and with one that went away meanwhile")
    func noDelegate() async {
      let client = client()
      let friend = FakeClient.friend.description
      #expect(GameRequestDialog(content: content(to: [friend]), delegate: nil).show())
      while GamingServices.openRequestDialog != nil { await Task.yield() }
      var listener: RequestListener? = RequestListener()
      GameRequestDialog.show(content: content(to: [friend]), delegate: listener)
      listener = nil
      while GamingServices.openRequestDialog != nil { await Task.yield() }
      #expect(client.asked == ["SendRequest", "SendRequest"])
    }
  }
}

/// Answers when the test says so, and heeds no cancellation.
@MainActor
private final class LatePresenter: DialogPresenter {
  private let (asked, asking) = AsyncStream.makeStream(of: Void.self)
  private let (answers, answering) = AsyncStream.makeStream(of: Void.self)
  private let (ends, ending) = AsyncStream.makeStream(of: Void.self)

  /// Lets whatever is shown be answered, and returns when the presenter has done so.
  func answer() async {
    answering.finish()
    for await _ in ends { return }
  }

  /// In a task of its own, which nobody cancels.
  private func wait() async {
    let answers = answers
    await Task { for await _ in answers {} }.value
    ending.yield()
  }

  func chooseContext(_ choice: ContextChoice) async throws -> ContextItem? {
    await wait()
    return ContextItem(identifier: ContextID(high: 9, low: 1).description, size: 2)
  }
  func selectRecipients(_ selection: RecipientSelection) async throws -> [String]? {
    await wait()
    return [FakeClient.friend.description]
  }
  func confirmRequest(_ request: RequestDraft) async throws -> Bool {
    await wait()
    return true
  }
  func arrangeMatch(_ arrangement: MatchArrangement) async throws -> MatchArrangement.Choice? {
    nil
  }
  func showSearch(_ search: MatchSearch) async throws {}
  func composeChallenge(_ draft: ChallengeDraft) async throws -> ChallengeDraft.Choice? { nil }
}

/// Hears on any queue, and says whether it was the right one.
private final class QueueListener: ContextDialogDelegate, GameRequestDialogDelegate {
  let told: AsyncStream<String>
  private let telling: AsyncStream<String>.Continuation
  private let isRight: @Sendable () -> Bool

  init(_ isRight: @escaping @Sendable () -> Bool) {
    (told, telling) = AsyncStream.makeStream(of: String.self)
    self.isRight = isRight
  }

  private nonisolated func note(_ text: String) { telling.yield("\(text) \(isRight())") }

  nonisolated func contextDialogDidComplete(_ contextDialog: ContextWebDialog) {
    note("context completed")
  }
  nonisolated func contextDialog(
    _ contextDialog: ContextWebDialog, didFailWithError error: any Error
  ) { note("context failed") }
  nonisolated func contextDialogDidCancel(_ contextDialog: ContextWebDialog) {
    note("context cancelled")
  }
  nonisolated func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didCompleteWithResults results: [String: Any]
  ) { note("request completed") }
  nonisolated func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didFailWithError error: any Error
  ) { note("request failed") }
  nonisolated func gameRequestDialogDidCancel(_ gameRequestDialog: GameRequestDialog) {
    note("request cancelled")
  }
}
