import Foundation
import Operations
import Stack
import Testing

extension Operating {
  /// A gateway whose addresses are not those of the deployment.
  @Suite struct Partitions {
    @Test("a gateway with services' addresses out of order, or too few, says so and is not ready")
    func misplaced() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let first = await stack.port("leaderboard/1")
        let second = await stack.port("leaderboard/2")
        let exchanged = "127.0.0.1:\(second),127.0.0.1:\(first)"
        for (addresses, lines) in [
          (
            exchanged,
            [
              "service=leaderboard/1 expected=1/2 found=2/2",
              "service=leaderboard/2 expected=2/2 found=1/2",
            ]
          ),
          ("127.0.0.1:\(first)", ["service=leaderboard/1 expected=1/1 found=1/2"]),
        ] {
          // It waits for no other service, so that one that took them would be ready with the last.
          let gateway = try await stack.spawn(
            "gateway",
            [
              "--listen", "127.0.0.1:0", "--leaderboard", addresses, "--context", "none",
              "--request", "none", "--loops", "1",
            ])
          let isTold = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
              for line in lines {
                guard await gateway.logged(line) else { return false }
              }
              return true
            }
            group.addTask { !(await gateway.printed("ready")) }
            let isTold = await group.next() ?? false
            gateway.signal(SIGTERM)
            return isTold
          }
          #expect(await gateway.ended() == 0)
          #expect(isTold && !gateway.output.contains("ready"), "\(addresses) \(gateway.errors)")
        }
      }
    }

    @Test("a gateway is not ready while another process stands at a service's place")
    func exchangedLater() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        #expect(try await stack.gatewayStatus().isReady)
        let data = stack.directory.appendingPathComponent("other").path
        try await stack.createStore("leaderboard/1", at: data)
        #expect(try await stack.stop("leaderboard/2") == 0)
        let address = "127.0.0.1:\(await stack.port("leaderboard/2"))"
        let other = try await stack.spawn(
          "leaderboard/1", ["--listen", address, "--data-directory", data])
        try await other.ready()
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged("service=leaderboard/2 expected=2/2 found=1/2"))
        #expect(try await !stack.gatewayStatus().isReady)
        other.signal(SIGTERM)
        await other.ended()
        try await stack.start("leaderboard/2")
        while try await !stack.gatewayStatus().isReady {}
      }
    }
  }
}
