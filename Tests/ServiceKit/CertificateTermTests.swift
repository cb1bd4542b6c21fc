import Operations
import Testing
import Transport

@testable import ServiceKit

@Suite struct CertificateTermTests {
  private let day = CertificateTerm.dayMilliseconds

  private func term(_ end: Int64) throws -> CertificateTerm {
    try #require(CertificateTerm("certificate", "/etc/c.pem", end: end))
  }

  @Test("days are whole, and negative once a certificate has ended")
  func days() throws {
    #expect(try term(10 * day).days(at: 0) == 10)
    #expect(try term(10 * day).days(at: 1) == 9)
    #expect(try term(10 * day).days(at: 9 * day + 1) == 0)
    #expect(try term(10 * day).days(at: 10 * day) == 0)
    #expect(try term(10 * day).days(at: 10 * day + 1) == -1)
    #expect(CertificateTerm("certificate", "/etc/c.pem", end: nil) == nil)
  }

  @Test("a certificate is told of fourteen days before its end")
  func states() throws {
    #expect(try term(20 * day).state(at: 6 * day - 1) == .good)
    #expect(try term(20 * day).state(at: 6 * day) == .endsSoon)
    #expect(try term(20 * day).state(at: 20 * day - 1) == .endsSoon)
    #expect(try term(20 * day).state(at: 20 * day) == .ended)
  }

  @Test("the log has the days of each")
  func text() throws {
    var other = try term(2 * day)
    other.setting = "authority"
    let terms = [try term(20 * day), other]
    #expect(CertificateTerm.text(terms, at: day) == "certificate 19 days, authority 1 days")
  }

  @Test("an operator sees how long each can be used yet, also when it has ended")
  func metric() async throws {
    let own = try term(20 * day)
    var authority = try term(5 * day)
    authority.setting = "authority"
    let (terms, now) = ([own, authority], 6 * day + 1_500)
    let thread = LoopThread(name: "terms")
    let status = await thread.run { loop in
      let metrics = Metrics(.process)
      NetworkMeasures(metrics, loop).measure(terms, at: now)
      return metrics.values.status.filter { $0.name == "certificate.left" }
    }
    thread.stop()
    await thread.stopped()
    #expect(status.map(\.label) == ["authority", "certificate"])
    #expect(status.map(\.value) == [0, 14 * 86_400 - 2])
    #expect(status.allSatisfy { $0.unit == "seconds" })
  }
}
