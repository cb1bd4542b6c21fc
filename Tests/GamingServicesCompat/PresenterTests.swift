import Dialogs
import Foundation
import Locking
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  /// The SDK's ways to make and show a dialog in one call.
  @MainActor
  @Suite("The SDK's presenter", .serialized)
  struct PresenterTests {
    let listener = ContextListener()
    let create = CreateContextContent(playerID: FakeClient.friend.description)
    let change = SwitchContextContent(contextID: ContextID(high: 9, low: 1).description)

    func client(isSignedIn: Bool = true) -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [FakeClient.context(1, with: [FakeClient.friend])]
        answers.isSignedIn = isSignedIn
      }
      GamingServicesTests.configure(client)
      return client
    }

    @Test("1.4 1.5 1.6 it shows a dialog, whose delegate is told once")
    func shows() async throws {
      let client = client()
      let presenter = ContextDialogPresenter()
      try presenter.makeAndShowCreateContextDialog(content: create, delegate: listener)
      #expect(await listener.next() == .completed)
      try presenter.makeAndShowSwitchContextDialog(content: change, delegate: listener)
      #expect(await listener.next() == .failed(.sameContext, "contextToken"))
      let scripted = ScriptedPresenter()
      scripted.contextChoice = { try await $0.contexts.next().first }
      GamingServices.presenter = scripted
      client.answers.withLock { $0.current = nil }
      presenter.makeAndShowChooseContextDialog(content: ChooseContextContent(), delegate: listener)
      #expect(await listener.next() == .completed)
      #expect(listener.told.count == 3)
    }

    @Test("1.6 without a player it throws, and tells the delegate nothing")
    func noPlayer() {
      _ = client(isSignedIn: false)
      let presenter = ContextDialogPresenter()
      #expect(throws: ContextDialogPresenterError.invalidAccessToken) {
        try presenter.makeAndShowCreateContextDialog(content: create, delegate: listener)
      }
      #expect(throws: ContextDialogPresenterError.invalidAccessToken) {
        try presenter.makeAndShowSwitchContextDialog(content: change, delegate: listener)
      }
      for error in [
        ContextDialogPresenter.showCreateContextDialog(withContent: create, delegate: listener),
        ContextDialogPresenter.showSwitchContextDialog(withContent: change, delegate: listener),
      ] {
        #expect(error?.domain == ErrorDomain)
        #expect(error?.code == CoreError.errorAccessTokenRequired.rawValue)
      }
      let created = ContextDialogPresenter.createContextDialog(
        withContent: create, delegate: listener)
      let changed = ContextDialogPresenter.switchContextDialog(
        withContent: change, delegate: listener)
      #expect(created == nil && changed == nil && listener.told.isEmpty)
    }

    @Test("1.4 1.5 1.6 the older calls do the same")
    func older() async {
      _ = client()
      let created = ContextDialogPresenter.showCreateContextDialog(
        withContent: create, delegate: listener)
      #expect(created == nil)
      #expect(await listener.next() == .completed)
      let changed = ContextDialogPresenter.showSwitchContextDialog(
        withContent: change, delegate: nil)
      #expect(changed == nil)
      let dialog = ContextDialogPresenter.switchContextDialog(
        withContent: change, delegate: listener)
      #expect(dialog?.show() == true)
      #expect(await listener.next() == .failed(.sameContext, "contextToken"))
      #expect(ContextDialogPresenter.createContextDialog(withContent: create, delegate: nil) == nil)
      GamingServices.presenter = ScriptedPresenter()
      let choose = ContextDialogPresenter.showChooseContextDialog(
        with: ChooseContextContent(), delegate: listener)
      #expect(await listener.next() == .cancelled)
      #expect(choose.dialogContent is ChooseContextContent)
      let request = GameRequestDialog.dialog(content: GameRequestContent(), delegate: nil)
      #expect(request.canShow)
      #expect(throws: GamingServicesError.self) { try request.validate() }
    }
  }
}
