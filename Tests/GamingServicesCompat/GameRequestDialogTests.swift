import Dialogs
import Locking
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  @MainActor
  @Suite("Game requests", .serialized)
  struct GameRequestDialogTests {
    let listener = RequestListener()
    let friend = FakeClient.friend.description
    let other = FakeClient.other.description

    func client(_ prepare: (inout FakeClient.Answers) -> Void = { _ in }) -> FakeClient {
      let client = FakeClient { answers in
        answers.friends = [
          FakeClient.makeFriend(FakeClient.friend, "Friend"),
          FakeClient.makeFriend(FakeClient.other, "Other"),
          FakeClient.makeFriend(PlayerID(high: 4, low: 0), "Asked", .invited),
        ]
        answers.appUsers = [FakeClient.friend]
        prepare(&answers)
      }
      GamingServicesTests.configure(client)
      return client
    }

    func content(_ change: (GameRequestContent) -> Void = { _ in }) -> GameRequestContent {
      let content = GameRequestContent()
      content.message = "Play with me"
      content.recipients = [friend]
      change(content)
      return content
    }

    @Test("2.2 The first broken rule names its argument")
    func validation() {
      let client = client()
      let cases: [(String, (GameRequestContent) -> Void)] = [
        ("message", { ($0.message, $0.actionType) = ("", .send) }),
        ("objectID", { $0.actionType = .askFor }),
        ("objectID", { $0.objectID = "sword" }),
        ("recipients", { $0.filters = .appUsers }),
        ("recipients", { $0.recipientSuggestions = ["a"] }),
        (
          "recipientSuggestions",
          { ($0.recipients, $0.filters, $0.recipientSuggestions) = ([], .appUsers, ["a"]) }
        ),
        ("data", { $0.data = String(repeating: "é", count: 256) }),
        ("recipients", { $0.recipients = [] }),
      ]
      for (index, (argument, change)) in cases.enumerated() {
        let dialog = GameRequestDialog(content: content(change), delegate: listener)
        #expect(!dialog.show())
        #expect(listener.told.count == index + 1)
        guard case .failed(_, argument) = listener.told.last else {
          Issue.record("case \(index): \(listener.told)")
          continue
        }
      }
      #expect(client.asked.isEmpty)
    }

    /// All of a list, page by page; suggested ones with a mark.
    func names(_ friends: DialogPages<FriendItem>) async throws -> [String] {
      var names: [String] = []
      while case let page = try await friends.next(), !page.isEmpty {
        names += page.map { $0.displayName + ($0.isSuggested ? "!" : "") }
      }
      return names
    }

    @Test("2.3 The selector shows who the filter lets through, suggested ones first")
    func selector() async {
      let client = client()
      var shown: [[String]] = []
      let presenter = ScriptedPresenter()
      presenter.recipientSelection = { [friend] selection in
        shown.append(try await names(selection.friends("")))
        return [friend]
      }
      GamingServices.presenter = presenter
      for change: (GameRequestContent) -> Void in [
        { _ in }, { $0.filters = .appUsers }, { $0.filters = .appNonUsers },
        { $0.filters = .everybody }, { $0.recipientSuggestions = [FakeClient.other.description] },
      ] {
        let content = content { $0.recipients = [] }
        change(content)
        GameRequestDialog.show(content: content, delegate: listener)
        #expect(await listener.next() == .completed)
        #expect(client.sent()?.recipients == [friend])
      }
      #expect(
        shown == [
          ["Friend", "Other"], ["Friend"], ["Other"], ["Friend", "Other"], ["Other!", "Friend"],
        ])
    }

    @Test("2.3 The selector searches at the server, and knows what the request says")
    func search() async {
      _ = client()
      var found: [[String]] = []
      var draft: RequestDraft?
      let presenter = ScriptedPresenter()
      presenter.recipientSelection = { selection in
        draft = selection.request
        for text in ["ther", "nobody", String(repeating: "x", count: 1000)] {
          found.append(try await names(selection.friends(text)))
        }
        return nil
      }
      GamingServices.presenter = presenter
      let content = content { ($0.recipients, $0.title, $0.cta) = ([], "Title", "Go") }
      GameRequestDialog.show(content: content, delegate: listener)
      #expect(await listener.next() == .cancelled)
      #expect(found == [["Other"], [], []])
      #expect(
        draft == RequestDraft(title: "Title", message: "Play with me", callToAction: "Go"))
    }

    @Test("2.2 What is chosen is checked again, before the server is asked")
    func choiceIsChecked() async {
      let client = client()
      let presenter = ScriptedPresenter()
      presenter.recipientSelection = { [friend] _ in Array(repeating: friend, count: 51) }
      GamingServices.presenter = presenter
      GameRequestDialog.show(content: content { $0.recipients = [] }, delegate: listener)
      #expect(await listener.next() == .failed(.invalidArgument, "recipients"))
      #expect(client.asked.isEmpty)
    }

    @Test("2.4 The results name the request and who gets it")
    func results() async {
      let client = client { $0.outcomes = [FakeClient.other: .notReachable] }
      let content = content { $0.recipients = [friend, other] }
      GameRequestDialog.show(content: content, delegate: listener)
      #expect(await listener.next() == .completed)
      let id = RequestID(high: 7, low: 7).description
      for key in ["request_id", "request"] { #expect(listener.results[key] as? String == id) }
      for key in ["recipients", "to"] { #expect(listener.results[key] as? [String] == [friend]) }
      #expect(
        listener.results["outcomes"] as? [String: String]
          == [friend: "queued", other: "notReachable"])
      #expect(client.asked == ["SendRequest"])
    }

    @Test("2.6 A frictionless request is sent without asking, when every recipient has agreed")
    func frictionless() async {
      let client = client { answers in
        answers.consents = [FakeClient.friend]
        answers.knownConsents = [FakeClient.friend]
      }
      var asked = 0
      let presenter = ScriptedPresenter()
      presenter.requestConfirmation = { _ in
        asked += 1
        return true
      }
      GamingServices.presenter = presenter
      func show(_ recipients: [String], isEnabled: Bool = true) async -> Bool? {
        let dialog = GameRequestDialog(
          content: content { $0.recipients = recipients }, delegate: listener)
        dialog.isFrictionlessRequestsEnabled = isEnabled
        dialog.show()
        #expect(await listener.next() == .completed)
        return client.sent()?.isFrictionless
      }
      #expect(await show([friend]) == true && asked == 0)
      #expect(await show([friend], isEnabled: false) == false && asked == 1)
      #expect(await show([friend, other]) == false && asked == 2)
      #expect(await show(["a link's token"]) == false && asked == 3)
      // What the client knows is old: the server refuses, and the player is asked.
      client.answers.withLock { $0.consents = [] }
      #expect(await show([friend]) == false && asked == 4)
      client.answers.withLock { $0.knownConsents = nil }
      #expect(await show([friend]) == false && asked == 5)
      #expect(client.asked.filter { $0 == "SendRequest" }.count == 7)
    }

    @Test("2.6 An empty list of recipients is never frictionless; a refusal to send is a cancel")
    func asked() async {
      let client = client { ($0.consents, $0.knownConsents) = ([FakeClient.friend], []) }
      let presenter = ScriptedPresenter()
      presenter.recipientSelection = { [friend] _ in [friend] }
      GamingServices.presenter = presenter
      let chosen = GameRequestDialog(content: content { $0.recipients = [] }, delegate: listener)
      chosen.isFrictionlessRequestsEnabled = true
      chosen.show()
      #expect(await listener.next() == .completed)
      #expect(client.sent()?.isFrictionless == false)
      GameRequestDialog.show(content: content(), delegate: listener)
      #expect(await listener.next() == .cancelled)
      #expect(client.asked.filter { $0 == "SendRequest" }.count == 1)
    }

    @Test("2.5 Exactly one of complete, fail and cancel")
    func once() async {
      let client = client()
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      for chosen in [nil, []] as [[String]?] {
        presenter.recipientSelection = { _ in chosen }
        GameRequestDialog.show(content: content { $0.recipients = [] }, delegate: listener)
        #expect(await listener.next() == .cancelled)
      }
      GamingServices.presenter = nil
      client.answers.withLock { $0.failure = MusterError(.rateLimited, "Later.") }
      GameRequestDialog.show(content: content(), delegate: listener)
      let second = RequestListener()
      GameRequestDialog.show(content: content(), delegate: second)
      #expect(await listener.next() == .failed(.rateLimited, ""))
      #expect(listener.told.count == 3)
      #expect(second.told == [.failed(.pendingRequest, "")])
    }

    @Test("2.5 A request dialog holds its delegate weakly, a context dialog strongly")
    func delegates() {
      _ = client()
      let request = GameRequestDialog(content: content(), delegate: RequestListener())
      #expect(request.delegate == nil)
      let create = CreateContextDialog(
        content: CreateContextContent(playerID: friend), delegate: ContextListener())
      #expect(create.delegate != nil)
    }
  }
}
