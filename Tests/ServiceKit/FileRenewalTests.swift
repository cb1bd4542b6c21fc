import Locking
import Stack
import TestKit
import Testing
import Transport

@testable import ServiceKit

/// What a process reads anew is taken part by part.
@Suite(.endsAtLast) struct FileRenewalTests {
  private struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  private struct Credentials: ProcessCredentials {
    var terms: [CertificateTerm] { [] }
    var fault: String?
    func checkOwnCertificates() throws -> Int {
      if let fault { throw Wrong(description: fault) }
      return 1
    }
  }

  /// What of one round was used and told, where a part is wrong or not.
  private func renew(keys: String?, certificates: String?) async throws -> (
    used: [String], told: [String]
  ) {
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], process: 7))
    let used = Locked<[String]>([])
    let thread = LoopThread(name: "renewal")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      let renewal = FileRenewal(on: loop, log: Log(source: "test"), reports: reports)
      renewal.add(.keys) {
        return {
          if let keys { throw Wrong(description: keys) }
          return "new keys"
        }
      } use: { (made: String) in
        used.withLock { $0.append(made) }
      }
      renewal.addCertificates([]) {
        return { Credentials(fault: certificates) }
      } use: { _ in
        used.withLock { $0.append("new certificates") }
      }
      loop.keep(renewal)
      reports.ready(port: 7)
      renewal.renew()
    }
    await socket.received { $0.count == 3 }
    thread.stop()
    await thread.stopped()
    return (used.withLock { $0 }, Array(socket.messages.dropFirst(2)))
  }

  @Test("each part is taken or refused by itself, and the manager is told which was refused")
  func parts() async throws {
    let keys = "Its keys were not renewed: line 1."
    let certificates = "Its certificates were not renewed: a.pem."
    for wrong in 0..<4 {
      let (wrongKeys, wrongCertificates) = (wrong & 1 != 0, wrong & 2 != 0)
      let done = try await renew(
        keys: wrongKeys ? "line 1" : nil, certificates: wrongCertificates ? "a.pem" : nil)
      #expect(
        done.used == (wrongKeys ? [] : ["new keys"])
          + (wrongCertificates ? [] : ["new certificates"]))
      let refusals = (wrongKeys ? [keys] : []) + (wrongCertificates ? [certificates] : [])
      let sentences = ["Serving on port 7."] + refusals
      #expect(done.told == ["READY=1\nSTATUS=" + sentences.joined(separator: " ")])
    }
  }

  @Test("a reason that is a sentence already gets no second full stop")
  func sentence() async throws {
    let done = try await renew(keys: "The last line is not `end`.", certificates: nil)
    let refusal = "Its keys were not renewed: The last line is not `end`."
    #expect(done.told == ["READY=1\nSTATUS=Serving on port 7. \(refusal)"])
  }

  /// In the second round what was wrong in the first is right, which the reading itself decides.
  @Test("who is asked while it reads reads once more, and what is right by then is not told")
  func askedAgain() async throws {
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], process: 7))
    let thread = LoopThread(name: "renewal")
    await thread.run { loop in
      let reports = ManagerReports(on: loop, log: Log(source: "test"), manager: manager)
      let renewal = FileRenewal(on: loop, log: Log(source: "test"), reports: reports)
      var round = 0
      renewal.add(.keys) {
        round += 1
        return { [round] in
          if round == 1 { throw Wrong(description: "line 1") }
          return "new"
        }
      } use: { (_: String) in
      }
      loop.keep(renewal)
      reports.ready(port: 7)
      for _ in 1...3 { renewal.renew() }
    }
    await socket.received { $0.count == 5 }
    thread.stop()
    await thread.stopped()
    let told = socket.messages.filter { !$0.hasPrefix("RELOADING=1") }
    let serving = "READY=1\nSTATUS=Serving on port 7."
    #expect(told == [serving, serving + " Its keys were not renewed: line 1.", serving])
  }
}
