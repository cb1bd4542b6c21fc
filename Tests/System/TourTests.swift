import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// The tour against a gateway that breaks down at the moment that a test wants.
  @Suite struct Tours {
    @Test("7.1 an operator's declaration whose answer is lost is made again under its key")
    func lostDeclaration() async throws {
      // Its certificates and a port that is free; its processes are not started.
      let stack = try Stack()
      let thread = LoopThread(name: "lossy-gateway")
      try await LossyGateway.listen(as: stack, on: thread)
      let tour = try Tools.muster(stack, ["tour"])
      // After the declaration nobody can sign up.
      #expect(await tour.ended() == 1)
      #expect(tour.output.contains("the operator declared the leaderboard"), "\(tour.errors)")
      #expect(tour.errors.contains("Nobody signs up here."))
      let declared = await LossyGateway.declared(on: thread)
      #expect(declared.count == 2 && declared.first == declared.last)
      #expect(declared.allSatisfy { $0.client != 0 && $0.counter != 0 })
      thread.stop()
      await thread.stopped()
      await stack.stop()
    }

    @Test("where nobody serves, the tour waits as long as it is told, not as long as for a restart")
    func nobodyServes() async throws {
      let stack = try Stack()
      let start = ContinuousClock.now
      let tour = try Tools.muster(stack, ["tour", "--deadline", "0.5"])
      #expect(await tour.ended() == 69, "\(tour.errors)")
      #expect(ContinuousClock.now - start < .seconds(30))
      await stack.stop()
    }
  }
}
