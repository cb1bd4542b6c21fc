import Dialogs
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  @MainActor
  @Suite("Context dialogs", .serialized)
  struct ContextDialogTests {
    let listener = ContextListener()

    func client(_ prepare: (inout FakeClient.Answers) -> Void = { _ in }) -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [
          FakeClient.context(1, with: [FakeClient.friend]),
          FakeClient.context(2, with: []),
          FakeClient.context(3, with: [FakeClient.other]),
          FakeClient.context(4, with: [FakeClient.friend, FakeClient.other]),
        ]
        answers.contexts[1].openChallenges = 1
        answers.contexts[3].hasPlayed = true
        answers.appUsers = [FakeClient.friend]
        prepare(&answers)
      }
      GamingServicesTests.configure(client)
      return client
    }

    @Test("1.1 A context has an identifier, and no size below 0")
    func context() {
      _ = client()
      #expect(GamingContext.current == nil)
      #expect(GamingContext(identifier: "", size: 2) == nil)
      #expect(GamingContext(identifier: "a", size: -1)?.size == 0)
    }

    @Test(
      "1.2 Bounds of participants",
      arguments: [
        (0, 0, nil), (3, 0, nil), (2, 2, nil), (3, 2, "minParticipants"),
        (-1, 0, "minParticipants"), (0, -1, "maxParticipants"),
      ] as [(Int, Int, String?)])
    func bounds(minimum: Int, maximum: Int, argument: String?) {
      let content = ChooseContextContent()
      (content.minParticipants, content.maxParticipants) = (minimum, maximum)
      var error: GamingServicesError?
      do throws(GamingServicesError) { try content.validate() } catch let thrown { error = thrown }
      #expect(error?.argument == argument)
    }

    @Test("1.3 Filters are strict, and pages keep the order")
    func filters() async throws {
      let client = client()
      func all(_ change: (ChooseContextContent) -> Void) async throws -> [Int] {
        let content = ChooseContextContent()
        change(content)
        let choices = client.contexts(ChooseContexts(content))
        var found: [Int] = []
        while case let page = try await choices.next(), !page.isEmpty {
          found += page.compactMap { ContextID($0.identifier).map { Int($0.low) } }
        }
        return found
      }
      #expect(try await all { _ in } == [1, 2, 3, 4])
      #expect(try await all { $0.filter = .newPlayersOnly } == [3])
      #expect(try await all { $0.filter = .existingChallenges } == [2])
      #expect(try await all { $0.filter = .newContextOnly } == [1, 2, 3])
      #expect(client.asked.count { $0 == "GetProfiles" } <= client.asked.count / 2)
      #expect(try await all { $0.minParticipants = 2 } == [1, 3, 4])
      #expect(try await all { ($0.minParticipants, $0.maxParticipants) = (1, 2) } == [1, 2, 3])
    }

    @Test("1.4 Creating needs a player, and enters before it completes")
    func create() async {
      _ = client()
      let content = CreateContextContent(playerID: "")
      let dialog = CreateContextDialog(
        content: content, windowFinder: InternalUtility.shared, delegate: listener)
      #expect(!dialog.show())
      #expect(listener.told == [.failed(.requiredArgument, "playerID")])
      content.playerID = FakeClient.friend.description
      #expect(dialog.show())
      #expect(await listener.next() == .failed(.requiredArgument, "playerID"))
      #expect(await listener.next() == .completed)
      #expect(listener.current?.identifier == ContextID(high: 9, low: 1).description)
      #expect(listener.current?.size == 2)
    }

    @Test("1.5 A context that cannot be entered leaves the current one")
    func switching() async {
      let client = client { $0.current = $0.contexts[1] }
      let missing = ContextID(high: 8, low: 8).description
      for (token, told) in [
        ("", Told.failed(.requiredArgument, "contextToken")),
        ("no token", .failed(.notFound, "contextToken")), (missing, .failed(.notFound, "")),
      ] {
        SwitchContextDialog(content: SwitchContextContent(contextID: token), delegate: listener)
          .show()
        #expect(await listener.next() == told)
      }
      #expect(client.currentContext?.context == ContextID(high: 9, low: 2))
      let token = ContextID(high: 9, low: 3).description
      SwitchContextDialog(content: SwitchContextContent(contextID: token), delegate: listener)
        .show()
      #expect(await listener.next() == .completed)
      #expect(listener.current?.identifier == token)
    }

    @Test("1.6 Choosing none cancels, choosing one enters it")
    func choose() async {
      _ = client { $0.names = [FakeClient.me: "Me", FakeClient.friend: "Friend"] }
      let content = ChooseContextContent()
      #expect(!ChooseContextDialog(content: content, delegate: listener).show())
      #expect(await listener.next() == .failed(.requiredArgument, "presenter"))
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      ChooseContextDialog(content: content, delegate: listener).show()
      #expect(await listener.next() == .cancelled)
      var shown: [ContextItem] = []
      presenter.contextChoice = { choice in
        shown = try await choice.contexts.next()
        return shown.last
      }
      ChooseContextDialog(content: content, delegate: listener).show()
      #expect(await listener.next() == .completed)
      let ids = [ContextID(high: 9, low: 1).description, ContextID(high: 9, low: 2).description]
      #expect(listener.current?.identifier == ids[1])
      #expect(
        shown == [
          ContextItem(identifier: ids[0], size: 2, playerNames: ["Friend"]),
          ContextItem(identifier: ids[1], size: 1),
        ])
    }

    @Test("1.6 What a presenter throws is told as it is")
    func presenterFails() async {
      struct Broken: Error {}
      _ = client()
      let presenter = ScriptedPresenter()
      presenter.contextChoice = { _ in throw Broken() }
      GamingServices.presenter = presenter
      ChooseContextDialog(content: ChooseContextContent(), delegate: listener).show()
      _ = await listener.next()
      #expect(listener.errors.count == 1 && listener.errors.first is Broken)
    }

    @Test("1.6 A dialog with content of another kind, or none, is not shown")
    func contentOfAnotherKind() {
      _ = client()
      let dialog = SwitchContextDialog(
        content: SwitchContextContent(contextID: "a"), delegate: listener)
      dialog.dialogContent = CreateContextContent(playerID: "a")
      #expect(!dialog.show())
      dialog.dialogContent = nil
      #expect(!dialog.show())
      let errors = listener.errors.map { $0 as? GamingServicesDialogError }
      #expect(errors == [.invalidContentType, .missingContent])
    }

    @Test("1.6 A failure of the server is told once")
    func failure() async {
      _ = client { $0.failure = MusterError(.deadlineExceeded, "Too late.") }
      let content = CreateContextContent(playerID: FakeClient.friend.description)
      #expect(CreateContextDialog(content: content, delegate: listener).show())
      #expect(await listener.next() == .failed(.deadlineExceeded, ""))
      #expect(listener.told.count == 1)
      #expect(listener.current == nil)
    }

    @Test("1.7 The same context, and a second dialog")
    func refused() async {
      let client = client { $0.current = $0.contexts[0] }
      let content = SwitchContextContent(contextID: ContextID(high: 9, low: 1).description)
      #expect(SwitchContextDialog(content: content, delegate: listener).show())
      let second = ContextListener()
      #expect(!SwitchContextDialog(content: content, delegate: second).show())
      #expect(second.told == [.failed(.pendingRequest, "")])
      #expect(await listener.next() == .failed(.sameContext, "contextToken"))
      #expect(client.asked.isEmpty)
    }

    @Test("1.7 The same context, which only the server knows to be current")
    func sameElsewhere() async {
      let id = ContextID(high: 9, low: 3)
      let client = client { $0.elsewhere = id }
      let content = SwitchContextContent(contextID: id.description)
      #expect(SwitchContextDialog(content: content, delegate: listener).show())
      #expect(await listener.next() == .failed(.sameContext, "contextToken"))
      #expect(client.asked == ["SwitchContext"])
      #expect(GamingContext.current?.identifier == id.description)
    }
  }
}
