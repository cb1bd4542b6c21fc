import Operations
import TestKit
import Testing
import Wire

/// One way to break a request, and what it is refused with. A later one must not undo an earlier.
struct Breakage: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var argument: String
  var code: FailureCode
  var apply: @Sendable (inout SendRequest) -> Void

  init(
    _ name: String, _ argument: String, _ code: FailureCode = .invalidArgument,
    _ apply: @escaping @Sendable (inout SendRequest) -> Void
  ) {
    testDescription = name
    self.argument = argument
    self.code = code
    self.apply = apply
  }

  static let one = PlayerID.sample(1).description
  static let many = (0..<51).map { PlayerID.sample($0).description }

  /// In the order of rule 2.2, then ours.
  static let all: [Breakage] = [
    Breakage("no message", "message", .requiredArgument) { $0.message = "" },
    Breakage("no object", "objectID", .requiredArgument) {
      $0.actionType = .send
      $0.objectID = ""
    },
    Breakage("recipients with filters", "recipients") {
      $0.recipients = [one]
      $0.filters = .appUsers
    },
    Breakage("recipients with suggestions", "recipients") {
      $0.recipients = [one]
      $0.recipientSuggestions = [one]
    },
    Breakage("filters with suggestions", "recipientSuggestions") {
      $0.recipients = []
      $0.filters = .everybody
      $0.recipientSuggestions = [one]
    },
    Breakage("256 characters of data", "data") { $0.data = String(repeating: "a", count: 256) },
    Breakage("unknown action", "actionType") {
      $0.actionType = ActionType(rawValue: 200)
      $0.objectID = ""
    },
    Breakage("unknown filter", "filters") {
      $0.filters = RequestFilter(rawValue: 200)
      $0.recipients = []
      $0.recipientSuggestions = []
    },
    Breakage("long message", "message") { $0.message = String(repeating: "m", count: 2049) },
    Breakage("long object", "objectID") {
      $0.actionType = .askFor
      $0.objectID = String(repeating: "o", count: 257)
    },
    Breakage("heavy data", "data") { $0.data = "a" + String(repeating: "\u{301}", count: 9000) },
    Breakage("long title", "title") { $0.title = String(repeating: "t", count: 513) },
    Breakage("long cta", "cta") { $0.cta = String(repeating: "c", count: 257) },
    Breakage("51 recipients", "recipients") {
      $0.recipients = many
      $0.recipientSuggestions = []
    },
    Breakage("51 suggestions", "recipientSuggestions") {
      $0.recipients = []
      $0.recipientSuggestions = many
    },
    Breakage("no recipients", "recipients", .requiredArgument) { $0.recipients = [] },
  ]
}

@Suite struct ContentRulesTests {
  let good = SendRequest(to: [.sample(1)])

  @Test("2.2 each rule names its argument", arguments: Breakage.all)
  func single(_ breakage: Breakage) {
    var request = good
    breakage.apply(&request)
    let failure = RequestContentRules.failure(in: request)
    #expect(failure?.argument == breakage.argument)
    #expect(failure?.code == breakage.code)
    #expect(failure?.text.isEmpty == false)
  }

  @Test("2.2 of two failures the first in order wins")
  func pairs() {
    for (place, first) in Breakage.all.enumerated() {
      for second in Breakage.all[(place + 1)...] {
        var request = good
        second.apply(&request)
        first.apply(&request)
        let failure = RequestContentRules.failure(in: request)
        #expect(
          failure?.argument == first.argument && failure?.code == first.code,
          "\(first.testDescription) before \(second.testDescription)")
      }
    }
  }

  @Test("2.1 the defaults are none, empty and nil")
  func defaults() {
    let request = SendRequest()
    #expect(request.actionType == .none && request.filters == .none && request.data == nil)
    #expect(request.recipients.isEmpty && request.recipientSuggestions.isEmpty)
    #expect(request.message.isEmpty && request.objectID.isEmpty)
    #expect(request.title.isEmpty && request.cta.isEmpty)
  }

  @Test("2.2 a message of white space passes")
  func whiteSpace() {
    var request = good
    request.message = " \n\t"
    #expect(RequestContentRules.failure(in: request) == nil)
  }

  @Test("2.2 an object if and only if the action sends or asks")
  func object() {
    for raw in UInt8(0)..<5 {
      var request = good
      request.actionType = ActionType(rawValue: raw)
      let isNeeded = request.actionType == .send || request.actionType == .askFor
      #expect((RequestContentRules.failure(in: request)?.code == .requiredArgument) == isNeeded)
      request.objectID = "sword"
      let failure = RequestContentRules.failure(in: request)
      #expect((failure == nil) == isNeeded)
      if !isNeeded { #expect(failure?.code == .invalidArgument && failure?.argument == "objectID") }
    }
  }

  @Test(
    "2.2 data counts characters, not scalars or bytes",
    arguments: ["a", "é", "👩‍👩‍👧‍👦", "e\u{301}", "🇩🇪"])
  func data(_ character: String) {
    var request = good
    request.data = String(repeating: character, count: 255)
    #expect(RequestContentRules.failure(in: request) == nil)
    request.data = String(repeating: character, count: 256)
    #expect(RequestContentRules.failure(in: request)?.argument == "data")
    request.data = nil
    #expect(RequestContentRules.failure(in: request) == nil)
  }

  @Test("2.2 long messages and titles are warnings")
  func warnings() {
    var request = good
    request.message = String(repeating: "m", count: 60)
    request.title = String(repeating: "t", count: 50)
    #expect(RequestContentRules.longTexts(in: request).isEmpty)
    request.message += "m"
    request.title += "t"
    #expect(RequestContentRules.failure(in: request) == nil)
    #expect(RequestContentRules.longTexts(in: request).map(\.argument) == ["message", "title"])
  }

  @Test("2.3 before the selector ran, recipients may be missing")
  func selector() {
    var request = good
    request.recipients = []
    request.filters = .appNonUsers
    #expect(RequestContentRules.failure(in: request, recipientsAreChosen: false) == nil)
    request.filters = .none
    request.recipientSuggestions = [Breakage.one]
    #expect(RequestContentRules.failure(in: request, recipientsAreChosen: false) == nil)
    #expect(RequestContentRules.failure(in: request)?.code == .requiredArgument)
  }

  @Test("2.2 recipients have a cap of bytes and are never empty")
  func recipients() {
    var request = good
    request.recipients = [String(repeating: "r", count: 129)]
    #expect(RequestContentRules.failure(in: request)?.argument == "recipients")
    request.recipients = [""]
    #expect(RequestContentRules.failure(in: request)?.argument == "recipients")
    request.recipients = Array(Breakage.many.prefix(50))
    #expect(RequestContentRules.failure(in: request) == nil)
  }
}
