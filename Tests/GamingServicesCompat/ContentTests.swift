import Foundation
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  /// What contents and their enums are, whoever shows them.
  @Suite("Contents")
  struct ContentTests {
    private func archived<Content: NSObject & NSSecureCoding>(_ content: Content) throws -> Content?
    {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: content, requiringSecureCoding: true)
      return try NSKeyedUnarchiver.unarchivedObject(ofClass: Content.self, from: data)
    }

    private func choose(_ change: (ChooseContextContent) -> Void) -> ChooseContextContent {
      let content = ChooseContextContent()
      change(content)
      return content
    }

    private func request(_ change: (GameRequestContent) -> Void) -> GameRequestContent {
      let content = GameRequestContent()
      (content.message, content.data, content.cta) = ("Hello", "d", "Go")
      (content.actionType, content.objectID) = (.askFor, "sword")
      (content.recipients, content.title) = (["a", "b"], "Title")
      (content.recipientSuggestions, content.filters) = (["c"], .appNonUsers)
      change(content)
      return content
    }

    @Test("1.2 1.3 2.1 enums have the SDK's numbers and names")
    func enums() {
      #expect(
        ChooseContextFilter.allCases == [
          .none, .existingChallenges, .newPlayersOnly, .newContextOnly,
        ])
      #expect(ChooseContextFilter.allCases.map(\.rawValue) == [0, 1, 2, 3])
      let names = [
        "NO_FILTER", "INCLUDE_EXISTING_CHALLENGES", "NEW_PLAYERS_ONLY", "NEW_CONTEXT_ONLY",
      ]
      #expect(ChooseContextFilter.allCases.map(\.name) == names)
      let filters = ChooseContextFilter.allCases.map(ChooseContextContent.filtersName(forFilters:))
      #expect(filters == names)
      #expect(GameRequestActionType.allCases == [.none, .send, .askFor, .turn, .invite])
      #expect(GameRequestActionType.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
      #expect(
        GameRequestActionType.allCases.map(GameRequestURLProvider.actionTypeName(for:))
          == [nil, "send", "askfor", "turn", "invite"])
      #expect(GameRequestFilter.allCases == [.none, .appUsers, .appNonUsers, .everybody])
      #expect(GameRequestFilter.allCases.map(\.rawValue) == [0, 1, 2, 3])
      #expect(
        GameRequestFilter.allCases.map(GameRequestURLProvider.filtersName(for:))
          == [nil, "app_users", "app_non_users", "everybody"])
      for action in GameRequestActionType.allCases { #expect("\(action.term)" == "\(action)") }
      for filter in GameRequestFilter.allCases { #expect("\(filter.term)" == "\(filter)") }
    }

    @Test("1.2 2.1 contents begin with the SDK's defaults")
    func defaults() {
      let choose = ChooseContextContent()
      #expect(choose.filter == .none && choose.minParticipants == 0 && choose.maxParticipants == 0)
      let content = GameRequestContent()
      #expect(content.message.isEmpty && content.actionType == .none && content.objectID.isEmpty)
      #expect(content.recipients.isEmpty && content.recipientSuggestions.isEmpty)
      #expect(content.filters == .none && content.data == nil)
      #expect(content.title.isEmpty && content.cta.isEmpty)
    }

    @Test(
      "1.2 1.4 1.5 contents of contexts are equal by what they say, and come through an archive")
    func contexts() throws {
      let content = choose {
        ($0.filter, $0.minParticipants, $0.maxParticipants) = (.newContextOnly, 2, 5)
      }
      let same = try #require(try archived(content))
      #expect(same == content && same.hash == content.hash && same !== content)
      for other in [
        choose { ($0.minParticipants, $0.maxParticipants) = (2, 5) },
        choose { ($0.filter, $0.minParticipants) = (.newContextOnly, 2) },
        choose { ($0.filter, $0.maxParticipants) = (.newContextOnly, 5) },
      ] { #expect(other != content) }
      let create = CreateContextContent(playerID: "a")
      #expect(try archived(create) == create)
      #expect(create.hash == CreateContextContent(playerID: "a").hash)
      #expect(create != CreateContextContent(playerID: "b"))
      let change = SwitchContextContent(contextID: "a")
      #expect(try archived(change) == change)
      #expect(change.hash == SwitchContextContent(contextID: "a").hash)
      #expect(change != SwitchContextContent(contextID: "b"))
      #expect(!create.isEqual(change) && !change.isEqual(create) && !content.isEqual(create))
    }

    @Test("2.1 a request is equal by what it says, and comes through an archive")
    func requests() throws {
      let content = request { _ in }
      let same = try #require(try archived(content))
      #expect(same == content && same.isEqual(to: content) && same.hash == content.hash)
      #expect(same.recipients == ["a", "b"] && same.cta == "Go" && same.actionType == .askFor)
      let changes: [(GameRequestContent) -> Void] = [
        { $0.message = "" }, { $0.actionType = .send }, { $0.objectID = "" },
        { $0.recipients = [] }, { $0.recipientSuggestions = [] }, { $0.filters = .none },
        { $0.data = nil }, { $0.title = "" }, { $0.cta = "" },
      ]
      for (index, change) in changes.enumerated() {
        #expect(request(change) != content, "change \(index)")
      }
    }

    @Test("1.2 1.4 1.5 2.1 a copy says the same, and goes its own way")
    func copies() throws {
      let request = request { _ in }
      let copy = try #require(request.copy() as? GameRequestContent)
      #expect(copy == request)
      copy.message = "Other"
      #expect(copy != request)
      let choose = choose {
        ($0.filter, $0.minParticipants, $0.maxParticipants) = (.newContextOnly, 2, 5)
      }
      #expect(choose.copy() as? ChooseContextContent == choose)
      let create = CreateContextContent(playerID: "a")
      #expect(create.copy() as? CreateContextContent == create)
      let change = SwitchContextContent(contextID: "a")
      #expect(change.copy() as? SwitchContextContent == change)
    }

    @Test("2.2 an archive is not trusted")
    func forged() throws {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      archiver.encode(-1, forKey: "actionType")
      archiver.encode(99, forKey: "filters")
      archiver.encode(7, forKey: "message")
      archiver.encode(["a"] as NSArray, forKey: "title")
      archiver.encode(["a", 2] as NSArray, forKey: "to")
      let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
      reader.decodingFailurePolicy = .setErrorAndReturn
      let content = GameRequestContent(coder: reader)
      #expect(content.actionType == .none && content.filters == .none)
      #expect(content.message.isEmpty && content.title.isEmpty && content.recipients.isEmpty)
    }

    @Test("1.1 contexts are equal by what they are")
    func context() {
      let context = GamingContext(token: "a", size: 2)
      #expect(context == GamingContext(token: "a", size: 2))
      #expect(context?.hash == GamingContext(token: "a", size: 2)?.hash)
      #expect(context != GamingContext(token: "a", size: 3))
      #expect(context != GamingContext(token: "b", size: 2))
    }
  }
}
