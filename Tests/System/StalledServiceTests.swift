import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Transport
import Wire

extension System {
  /// A service's process that is gone, or hangs, while the gateway goes on.
  @Suite struct StalledService {
    @Test("7.2 an operator hears of the others in time when a process is down")
    func status() async throws {
      try await withStack { stack in
        try await stack.kill("leaderboard/1")
        let client = try await stack.operatorClient()
        // As long as `muster status` waits.
        let body = try await client.call(
          DeploymentStatus.opcode, ClientEnvelope(), DeploymentStatus().encoded,
          deadlineMilliseconds: 10_000
        ).get()
        let processes = try DeploymentStatus.Reply(decoding: body).processes
        #expect(processes.count == 4)
        #expect(processes.filter(\.isReady).count >= 2)
        #expect(
          processes.contains {
            $0.name == "muster-leaderboard" && $0.partition == "1/1" && !$0.isReady
          })
        let command = try Tools.muster(stack, ["status"])
        #expect(await command.ended() == 69, "\(command.errors)")
        #expect(command.output.contains("muster-leaderboard 1/1 did not answer"))
        #expect(command.errors.hasPrefix("muster: 1 process did not answer\n"), "\(command.errors)")
        await client.end()
        try await stack.start("leaderboard/1")
      }
    }

    @Test("a gateway that is there, and a service behind it that is not, are told apart")
    func behindGateway() async throws {
      try await withStack { stack in
        _ = try await Tools.muster(working: stack, ["signup", "Anna", "--as", "anna"])
        try await stack.kill("request/1")
        let command = try Tools.muster(stack, ["whoami", "--as", "anna", "--deadline", "3"])
        #expect(await command.ended() == 69)
        #expect(command.errors.contains("The server was reached, but"), "\(command.errors)")
        #expect(command.errors.contains("`muster status` shows"), "\(command.errors)")
        #expect(!command.errors.contains("make run"), "\(command.errors)")
        try await stack.start("request/1")
        try await stack.declareGame(Stack.game)
      }
    }

    @Test("3.7 a player who goes while a service takes nothing is away for the others afterwards")
    func channelClosed() async throws {
      var options = Stack.Options.underLoad
      options.flags["gateway"]? += ["--loops", "1", "--calls-per-second", "100000"]
      try await withStack(options) { stack in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        try await befriend(anna, ben)
        let context = try await pairContext(anna, ben)
        _ = try await anna.client.match(in: context)
        let match = try await ben.client.match(in: context)
        let service = try await stack.process("context/1")
        let senders = try await senders(stack)
        service.signal(SIGSTOP)
        await flood(senders, through: try await stack.process("gateway"))
        // The end of a session is shorter than any call, and a few more may fit.
        for sender in senders.prefix(4) { await sender.end() }
        await anna.client.close()
        // The gateway has noticed it when it has done something else after it.
        let client = try stack.client()
        #expect(await client.call(Echo()).code == nil)
        service.signal(SIGCONT)
        for await event in match.events {
          if case .playerChanged(anna.1.player, .disconnected, _) = event { break }
        }
        for sender in senders.dropFirst(4) + [client] { await sender.end() }
        await ben.client.close()
      }
    }

    @Test("3.7 a player who goes while a service is down is away when it is back")
    func closedWhileDown() async throws {
      var options = Stack.Options()
      options.flags["gateway"] = ["--loops", "1", "--call-deadline-seconds", "1"]
      try await withStack(options) { stack in
        let (anna, ben) = (try await stack.player("Anna"), try await stack.player("Ben"))
        try await befriend(anna, ben)
        var join = JoinMatch()
        join.context = try await pairContext(anna, ben)
        let (leaver, stayer) = (try stack.client(), try stack.client())
        for (sender, credential, seat) in [(leaver, anna.1, 11), (stayer, ben.1, 12)] {
          _ = try await sender.call(SignIn(credential)).get()
          join.seat = UInt64(seat)
          join.number = try await sender.call(join, Self.patiently(1)).get().number
        }
        try await stack.kill("context/1")
        join.seat = 11
        let envelope = Self.patiently(2)
        let echoed = await leaver.callBoth(
          (JoinMatch.opcode, envelope, join.encoded), (Echo.opcode, envelope, Echo().encoded))
        #expect(echoed.failure == nil)
        await leaver.end()
        // What was sent before it, with the same deadline, has had its time as well.
        var get = GetContext()
        get.context = join.context
        #expect(await stayer.call(get).code == .unavailable)
        try await stack.start("context/1")
        join.seat = 12
        let others = try await stayer.call(join, Self.patiently(2)).get().players
        #expect(others.map(\.player) == [anna.1.player])
        #expect(others.first?.state == .disconnected)
        await stayer.end()
        for player in [anna, ben] { await player.client.close() }
      }
    }

    /// The envelope of a call that waits for longer than those without a deadline of their own.
    private static func patiently(_ counter: UInt64) -> ClientEnvelope {
      var envelope = ClientEnvelope()
      envelope.deadlineMilliseconds = 30_000
      (envelope.idempotency.counter, envelope.idempotency.floor) = (counter, counter)
      return envelope
    }

    private func pairContext(
      _ one: (client: MusterClient, Credential), _ other: (client: MusterClient, Credential)
    ) async throws -> ContextID {
      var create = CreatePairContext()
      create.player = other.1.player
      let context = try await one.client.call(create).context
      var enter = SwitchContext()
      enter.context = context
      _ = try await other.client.call(enter)
      return context
    }

    /// Clients that can fill what the gateway may send to one service with calls of 60 KiB.
    private func senders(_ stack: Stack) async throws -> [RawClient] {
      let (player, credential) = try await stack.player("Cleo")
      await player.close()
      var senders: [RawClient] = []
      for _ in 0..<16 {
        let sender = try stack.client()
        _ = try await sender.call(SignIn(credential)).get()
        senders.append(sender)
      }
      return senders
    }

    /// Fills what the gateway may send to the context service, until it takes no more, however
    /// short. A slow machine takes so long for it that the gateway gives up the silent service
    /// before: then the end of the link tells the service. `ClosedChannelTests` has a full link for
    /// certain.
    private func flood(_ senders: [RawClient], through gateway: ServerProcess) async {
      for size in [60 << 10, 1 << 10, 0] {
        var isFull = false
        while !isFull && !gateway.errors.contains("service lost") {
          isFull = await withTaskGroup { group in
            for sender in senders { group.addTask { await sendMuch(sender, size) } }
            return await group.contains { $0.contains(.linkBytes) }
          }
        }
      }
    }

    /// As many calls as one client may have open, each with so many bytes more than it needs.
    private func sendMuch(_ sender: RawClient, _ size: Int) async -> [BackpressureCause?] {
      // It needs no fact, which the gateway would ask for first.
      var leave = LeaveContext()
      leave.context = ContextID(high: 1, low: 1)
      let body = leave.encoded + [UInt8](repeating: 0, count: size)
      var envelope = ClientEnvelope()
      envelope.idempotency.counter = 1
      // After that, the next calls of the client have room.
      envelope.deadlineMilliseconds = 500
      return await atOnce(64) { [envelope] in
        await sender.call(LeaveContext.opcode, envelope, body).failure?.backpressureCause
      }
    }
  }
}
