import Testing
import Wire

@testable import GatewayCore

@Suite struct FailureCountsTests {
  @Test("failures are counted by service and code, those of a newer version apart from all others")
  func unknown() {
    var counts = FailureCounts()
    for code in [UInt8(FailureCode.names.count), 250] {
      counts.count(Failure(FailureCode(rawValue: code), "New."), of: .request)
    }
    counts.count(Failure(.banned, "No."), of: .request)
    counts.count(Failure(.notFound, "No."), of: nil)
    let all = counts.all
    #expect(all.map(\.service) == ["request", "request", "none"])
    #expect(all.map(\.code.isKnown) == [true, false, true] && all.map(\.count) == [1, 2, 1])
    #expect(all[0].code == .banned && all[2].code == .notFound)
  }
}
