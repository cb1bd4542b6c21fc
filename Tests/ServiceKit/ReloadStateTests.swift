import Locking
import Operations
import Stack
import TestKit
import Testing
import Transport

@testable import ServiceKit

/// What a process says of its last reload in its status.
@Suite("States of reloads", .endsAtLast)
struct ReloadStateTests {
  private struct Wrong: Error {}

  private struct Credentials: ProcessCredentials {
    var terms: [CertificateTerm] { [] }
    var isWrong: Bool
    func checkOwnCertificates() throws -> Int {
      if isWrong { throw Wrong() }
      return 1
    }
  }

  /// What is refused after each change of it, in two reloads whose files are wrong or not.
  private func refused(keys: [Bool], certificates: [Bool]) async throws
    -> [Set<ReloadState.Part>]
  {
    let socket = try NotifySocket()
    defer { socket.close() }
    let manager = try #require(
      ServiceManager(environment: ["NOTIFY_SOCKET": socket.name], process: 7))
    let all = Locked<[Set<ReloadState.Part>]>([])
    let thread = LoopThread(name: "renewal")
    await thread.run { loop in
      let log = Log(source: "test")
      let reports = ManagerReports(on: loop, log: log, manager: manager)
      let renewal = FileRenewal(on: loop, log: log, reports: reports)
      renewal.onChange = { state in all.withLock { $0.append(state.refused) } }
      var round = -1
      renewal.add(.keys) {
        round += 1
        return { [isWrong = keys[round]] in
          if isWrong { throw Wrong() }
          return "new"
        }
      } use: { (_: String) in
      }
      renewal.addCertificates([]) {
        return { [isWrong = certificates[round]] in Credentials(isWrong: isWrong) }
      } use: { _ in
      }
      loop.keep(renewal)
      reports.ready(port: 7)
      // The second one is for later, as the first is under way.
      for _ in 1...2 { renewal.renew() }
    }
    // Of each reload its begin and its end, after that of the start.
    await socket.received { $0.count == 5 }
    thread.stop()
    await thread.stopped()
    return all.withLock { $0 }
  }

  @Test("what was refused is told until a later reload takes it, each part by itself")
  func untilTaken() async throws {
    typealias Parts = Set<ReloadState.Part>
    let mended = try await refused(keys: [true, false], certificates: [true, false])
    #expect(mended == [[.keys], [.keys, .certificates], [.certificates], []] as [Parts])
    let again = try await refused(keys: [true, true], certificates: [false, true])
    #expect(again == [[.keys], [.keys, .certificates]] as [Parts])
    let other = try await refused(keys: [false, true], certificates: [true, false])
    #expect(other == [[.certificates], [.keys, .certificates], [.keys]] as [Parts])
  }

  /// What an operator sees of it, as `name label value`.
  private func told(_ state: ReloadState, by metrics: Metrics) -> [String] {
    metrics.set(state)
    return metrics.values.status.filter { $0.name.hasPrefix("reload.") }.map {
      "\($0.name) \($0.label) \($0.value)"
    }
  }

  @Test("the status of each process has it, and that of one that was never reloaded")
  func metrics() {
    let metrics = Metrics(.process)
    var state = ReloadState()
    #expect(told(state, by: metrics) == ["reload.configuration_changed  0"])
    state.refused = [.certificates]
    state.hasOtherConfiguration = true
    #expect(
      told(state, by: metrics)
        == ["reload.configuration_changed  1", "reload.refused certificates 1"])
    state.refused = [.keys]
    state.hasOtherConfiguration = false
    #expect(
      told(state, by: metrics) == ["reload.configuration_changed  0", "reload.refused keys 1"])
  }
}
