import Foundation
import Stack
import Testing

extension System {
  /// A gateway whose addresses are not those of the deployment.
  @Suite struct Partitions {
    @Test("a gateway with services' addresses out of order, or too few, says so and is not ready")
    func misplaced() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        let first = await stack.port("leaderboard/1")
        let second = await stack.port("leaderboard/2")
        let exchanged = "127.0.0.1:\(second),127.0.0.1:\(first)"
        for (addresses, line) in [
          (exchanged, "service=leaderboard/1 expected=1/2 found=2/2"),
          (exchanged, "service=leaderboard/2 expected=2/2 found=1/2"),
          ("127.0.0.1:\(first)", "service=leaderboard/1 expected=1/1 found=1/2"),
        ] {
          let gateway = try await stack.spawn(
            "gateway", ["--listen", "127.0.0.1:0", "--leaderboard", addresses])
          let isTold = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await gateway.logged(line) }
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
  }
}
