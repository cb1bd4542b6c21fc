import Dialogs
import Foundation
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  /// Errors as games read them that were written for the SDK.
  @MainActor
  @Suite("Errors", .serialized)
  struct ErrorTests {
    let friend = FakeClient.friend.description

    func request(_ change: (GameRequestContent) -> Void) -> NSError? {
      let content = GameRequestContent()
      content.message = "Play with me"
      change(content)
      do { try content.validate() } catch { return error }
      return nil
    }

    @Test("the names stand for what they stand for in the SDK")
    func constants() {
      #expect(ErrorDomain == "com.facebook.sdk.core")
      #expect(ShareErrorDomain == "com.facebook.sdk.share")
      #expect(ErrorArgumentNameKey == "com.facebook.sdk:FBSDKErrorArgumentNameKey")
      #expect(ErrorArgumentValueKey == "com.facebook.sdk:FBSDKErrorArgumentValueKey")
      #expect(ErrorArgumentCollectionKey == "com.facebook.sdk:FBSDKErrorArgumentCollectionKey")
      #expect(ErrorDeveloperMessageKey == "com.facebook.sdk:FBSDKErrorDeveloperMessageKey")
      #expect(ErrorLocalizedDescriptionKey == "com.facebook.sdk:FBSDKErrorLocalizedDescriptionKey")
      #expect(ErrorLocalizedTitleKey == "com.facebook.sdk:FBSDKErrorLocalizedErrorTitleKey")
      #expect(GraphRequestErrorKey == "com.facebook.sdk:FBSDKGraphRequestErrorKey")
      #expect(CoreError.Code.allCases.map(\.rawValue) == Array(0...14))
      #expect(CoreError.errorInvalidArgument.rawValue == 2)
      #expect(CoreError.errorAccessTokenRequired.rawValue == 10)
      #expect(CoreError.errorBridgeAPIResponse.rawValue == 14)
      #expect(ShareError.allCases.map(\.rawValue) == Array(200...203))
      #expect(ShareError.dialogNotAvailable.rawValue == 202)
      #expect(GraphRequestError.allCases.map(\.rawValue) == [0, 1, 2])
    }

    @Test(
      "1.2 1.4 1.5 a context's argument is named in the core's domain, without a value",
      arguments: ["minParticipants", "playerID", "contextToken"])
    func contextArguments(name: String) throws {
      let choose = ChooseContextContent()
      (choose.minParticipants, choose.maxParticipants) = (3, 2)
      let content: [String: any ValidatableProtocol] = [
        "minParticipants": choose, "playerID": CreateContextContent(playerID: ""),
        "contextToken": SwitchContextContent(contextID: ""),
      ]
      let error = #expect(throws: NSError.self) { try content[name]?.validate() }
      #expect(error?.domain == ErrorDomain)
      #expect(error?.code == CoreError.errorInvalidArgument.rawValue)
      #expect(error?.userInfo[ErrorArgumentNameKey] as? String == name)
      #expect(error?.userInfo[ErrorArgumentValueKey] == nil)
      let message = error?.userInfo[ErrorDeveloperMessageKey] as? String
      #expect(message != nil && message == error?.localizedDescription)
    }

    @Test("2.2 a request's argument is named in the domain of sharing, with its value")
    func requestArguments() {
      let long = String(repeating: "d", count: 256)
      let cases: [(String, Any?, (GameRequestContent) -> Void)] = [
        ("message", nil, { $0.message = "" }),
        ("objectID", nil, { $0.actionType = .send }),
        ("objectID", nil, { $0.objectID = "sword" }),
        ("recipients", ["a"], { ($0.recipients, $0.filters) = (["a"], .appUsers) }),
        ("recipients", ["a"], { ($0.recipients, $0.recipientSuggestions) = (["a"], ["b"]) }),
        (
          "recipientSuggestions", ["b"],
          { ($0.filters, $0.recipientSuggestions) = (.everybody, ["b"]) }
        ),
        ("data", long, { $0.data = long }),
      ]
      for (name, value, change) in cases {
        let error = request(change)
        #expect(error?.domain == ShareErrorDomain)
        #expect(error?.code == CoreError.errorInvalidArgument.rawValue)
        #expect(error?.userInfo[ErrorArgumentNameKey] as? String == name)
        let told = error?.userInfo[ErrorArgumentValueKey]
        #expect(told as? String == value as? String && told as? [String] == value as? [String])
        #expect((told == nil) == (value == nil), "\(name)")
        #expect(error?.userInfo[ErrorDeveloperMessageKey] is String)
      }
      #expect(request { _ in } == nil)
    }

    @Test("7.2 the server's sentence is told as it is, with the SDK's number and the server's own")
    func serverSentence() throws {
      let error: any Error = GamingServicesError(
        MusterError(.conflict, argument: "recipients", "Somebody has not agreed."))
      #expect(error.localizedDescription == "Somebody has not agreed.")
      #expect((error as NSError).localizedDescription == "Somebody has not agreed.")
      // A cast that the compiler cannot know to succeed, as in games that have an optional error.
      let bridged = try #require((error as Any) as? NSError)
      #expect(bridged.domain == ErrorDomain)
      #expect(bridged.code == CoreError.errorGraphRequestGraphAPI.rawValue)
      let info = bridged.userInfo
      #expect(info[ErrorDeveloperMessageKey] as? String == "Somebody has not agreed.")
      #expect(info[GraphRequestErrorGraphErrorCodeKey] as? Int == 17)
      #expect(info[GraphRequestErrorKey] as? UInt == GraphRequestError.other.rawValue)
      let own = try #require(error as? GamingServicesError)
      #expect(own.failureCode == .conflict && own.argument == "recipients")
    }

    @Test(
      "7.2 each failure has a number of the SDK's",
      arguments: [
        (.notAuthenticated, .errorAccessTokenRequired),
        (.sessionExpired, .errorAccessTokenRequired),
        (.banned, .errorAccessTokenRequired), (.deadlineExceeded, .errorNetwork),
        (.disconnected, .errorNetwork), (.unavailable, .errorNetwork),
        (.malformed, .errorGraphRequestProtocolMismatch),
        (.rateLimited, .errorGraphRequestGraphAPI), (.sameContext, .errorGraphRequestGraphAPI),
        (.notFound, .errorGraphRequestGraphAPI), (.invalidArgument, .errorInvalidArgument),
        (FailureCode(rawValue: 250), .errorGraphRequestGraphAPI),
      ] as [(FailureCode, CoreError.Code)])
    func numbers(failure: FailureCode, number: CoreError.Code) {
      let error = GamingServicesError(MusterError(failure, "No."))
      #expect(error.domain == ErrorDomain && error.code == number.rawValue)
      #expect(error.failureCode == failure)
      do { throw error as any Error } catch number {} catch {
        Issue.record("the pattern does not match \(error)")
      }
    }

    @Test("2.10 a used-up budget is told with the time after which to try again")
    func budget() async {
      GamingServicesTests.configure(
        FakeClient { answers in
          answers.failure = MusterError(.rateLimited, "Later.", retryAfter: .seconds(7))
        })
      let listener = RequestListener()
      let content = GameRequestContent()
      (content.message, content.recipients) = ("Play with me", [friend])
      GameRequestDialog.show(content: content, delegate: listener)
      _ = await listener.next()
      let error = listener.errors.first as? GamingServicesError
      #expect(error?.failureCode == .rateLimited && error?.retryAfter == .seconds(7))
      #expect(error?.isOutcomeUnknown == false && error?.text == "Later.")
      #expect(
        error?.userInfo[GraphRequestErrorKey] as? UInt == GraphRequestError.transient.rawValue)
    }

    @Test("1.7 2.5 a dialog that cannot be shown has the SDK's numbers for that")
    func unavailable() async {
      GamingServicesTests.configure(FakeClient { $0.isSignedIn = false })
      let contexts = ContextListener()
      let requests = RequestListener()
      ChooseContextDialog(content: ChooseContextContent(), delegate: contexts).show()
      let content = GameRequestContent()
      content.message = "Play with me"
      GameRequestDialog.show(content: content, delegate: requests)
      content.recipients = [friend]
      GameRequestDialog.show(content: content, delegate: requests)
      let told = (contexts.errors + requests.errors).map { $0 as NSError }
      #expect(told.map(\.domain) == [ErrorDomain, ShareErrorDomain, ErrorDomain])
      #expect(
        told.map(\.code) == [
          CoreError.errorDialogUnavailable.rawValue, ShareError.dialogNotAvailable.rawValue,
          CoreError.errorAccessTokenRequired.rawValue,
        ])
    }

    @Test("an error comes through an archive with what the SDK's errors have")
    func archive() throws {
      let error = GamingServicesError.required("playerID")
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: error, requiringSecureCoding: true)
      let read = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: GamingServicesError.self, from: data))
      #expect(read.domain == error.domain && read.code == error.code)
      #expect(read.userInfo[ErrorArgumentNameKey] as? String == "playerID")
    }
  }
}
