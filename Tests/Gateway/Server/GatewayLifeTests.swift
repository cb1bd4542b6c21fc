import Foundation
import ServiceKit
import TestKit
import Testing
import Transport

@testable import muster_gateway

/// What a gateway says of itself to whoever has started it.
@Suite("Life of a gateway", .endsAtLast)
struct GatewayLifeTests {
  /// Each in a process of its own, which gets the signal.
  @Test("a gateway that stops before its services are there announces nothing when they come")
  func stoppedBefore() async {
    await #expect(processExitsWith: .exitCode(StoppedLife.notAnnounced)) {
      try await StoppedLife.run(isReadyBefore: false)
    }
    await #expect(processExitsWith: .exitCode(StoppedLife.announced)) {
      try await StoppedLife.run(isReadyBefore: true)
    }
  }
}

/// A gateway of one loop that gets SIGTERM.
private enum StoppedLife {
  static let (announced, notAnnounced): (Int32, Int32) = (21, 22)

  /// Ends the process by whether the ready file was written.
  /// - Parameter isReadyBefore: whether the services are there before the signal, not after it.
  static func run(isReadyBefore: Bool) async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-ready-\(UUID().uuidString)").path
    let configuration = try GatewayPlan.configuration(["--ready-file", file])
    let plan = try GatewayPlan(configuration)
    let (ended, end) = AsyncStream.makeStream(of: ProcessShell.ExitCode.self)
    let thread = LoopThread(name: "life")
    try await thread.run { loop in
      let life = try GatewayLife(
        loop: loop, plan: plan, configuration, hosts: SharedLimits(plan), terms: [],
        log: Log(source: "life"), end: { end.yield($0) })
      loop.keep(life)
      // In the place of the gateway's loop.
      let mailbox = loop.mailbox { [unowned life] (message: GatewayLoop.Message) in
        guard case .drain = message else { return }
        if !isReadyBefore { life.news.send(.ready) }
        life.news.send(.drained)
      }
      life.serve(with: [mailbox])
      if isReadyBefore { life.news.send(.ready) }
      loop.atEndOfTurn { kill(getpid(), SIGTERM) }
    }
    for await code in ended {
      let isAnnounced = FileManager.default.fileExists(atPath: file)
      try? FileManager.default.removeItem(atPath: file)
      exit(code != .success ? 1 : isAnnounced ? announced : notAnnounced)
    }
  }
}
