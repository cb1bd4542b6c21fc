import Foundation
import MusterKit
import Testing

@testable import GameKitCompat

@MainActor
@Suite("Errors of GameKit")
struct ErrorTests {
  @Test("7.2 An error is GameKit's as an NSError, and says the server's sentence alone")
  func bridged() {
    let error: any Error = GKError(
      MusterError(.invalidArgument, argument: "recipients", "Too many friends."))
    let bridged = error as NSError
    #expect(bridged.domain == GKErrorDomain && GKErrorDomain == "GKErrorDomain")
    #expect(bridged.code == 13)
    #expect(bridged.localizedDescription == "Too many friends.")
    #expect(error.localizedDescription == "Too many friends.")
    #expect((error as? any LocalizedError)?.errorDescription == "Too many friends.")
    #expect(bridged.userInfo[NSLocalizedDescriptionKey] as? String == "Too many friends.")
  }

  @Test(
    "7.2 Each failure has GameKit's kind",
    arguments: [
      (.notAuthenticated, "", .notAuthenticated), (.sessionExpired, "", .notAuthenticated),
      (.invalidCredential, "", .invalidCredentials), (.banned, "", .notAuthorized),
      (.requiredArgument, "value", .scoreNotSet), (.invalidArgument, "limit", .invalidParameter),
      (.invalidArgument, "minPlayers", .matchRequestInvalid), (.notReachable, "", .invalidPlayer),
      (.matchEnded, "", .matchNotConnected), (.cancelled, "", .cancelled),
      (.unknownOperation, "", .apiNotAvailable), (.disconnected, "", .communicationsFailure),
      (.unavailable, "", .communicationsFailure), (.notFound, "", .unknown),
    ] as [(FailureCode, String, GKError.Code)])
  func kinds(_ failure: FailureCode, _ argument: String, _ code: GKError.Code) {
    #expect(GKError(Failure(failure, argument: argument, "")).code == code)
  }

  @Test("7.2 Kinds have GameKit's numbers, and games match them by name")
  func numbers() {
    #expect(GKError.Code.allCases.map(\.rawValue) == Array(1...38) + Array(100...103))
    #expect(GKError.Code.turnBasedInvalidTurn.rawValue == 23)
    #expect(GKError.Code.matchNotConnected.rawValue == 28)
    do {
      throw GKError(.cancelled)
    } catch GKError.cancelled {
    } catch {
      Issue.record("It is another error: \(error)")
    }
    #expect((GKError(.underage) as any Error as? GKError)?.code == GKError.underage)
  }
}
