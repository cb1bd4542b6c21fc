import Dispatch
import TestKit
import Testing

@testable import GamingServicesCompat

/// One after the other: the library has one client and one open dialog of a kind.
@MainActor
@Suite("Gaming services", .serialized, .endsAtLast)
struct GamingServicesTests {
  @MainActor
  static func configure(_ client: FakeClient) {
    GamingServices.configure(connection: client)
    GamingServices.presenter = nil
    GamingServices.dialogTimeLimit = .seconds(600)
    GamingServices.delegateQueue = .main
  }
}
