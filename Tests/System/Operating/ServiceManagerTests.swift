import Foundation
import MusterKit
import Stack
import Testing

extension Operating {
  /// What a process tells the service manager that has started it.
  @Suite struct ServiceManagers {
    @Test(
      "a process tells its manager that it is ready, that it lives, and that it stops",
      arguments: ["context/1", "gateway"])
    func life(name: String) async throws {
      var options = Stack.Options()
      options.flags["gateway"] = ["--loops", "2"]
      try await withStack(options) { stack in
        let manager = try NotifySocket(isAbstract: name == "gateway")
        defer { manager.close() }
        try await stack.kill(name)
        let process = try await stack.spawn(
          name, environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "100000"])
        try await process.ready()
        await manager.received { $0.filter { $0 == "WATCHDOG=1" }.count >= 3 }
        let serving = "READY=1\nSTATUS=Serving on port \(await stack.port(name))."
        #expect(manager.messages.first == serving)

        process.signal(SIGHUP)
        await manager.received { $0.filter { $0 == serving }.count == 2 }
        let told = manager.messages.filter { $0 != "WATCHDOG=1" }
        #expect(told.count == 3 && told[1].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))

        process.signal(SIGTERM)
        #expect(await process.ended() == 0)
        await manager.received { $0.contains { $0.hasPrefix("STOPPING=1\nSTATUS=") } }
        #expect(manager.messages.filter { $0.hasPrefix("STOPPING=1") }.count == 1)
        try await stack.start(name)
      }
    }

    @Test("a process whose manager cannot be told serves all the same")
    func gone() async throws {
      try await withStack { stack in
        try await stack.kill("request/1")
        let process = try await stack.spawn(
          "request/1", environment: ["NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "100000"])
        try await process.ready()
        #expect(await process.logged("the service manager is not told"))
        let (player, _) = try await stack.player("Ada")
        await player.close()
        process.signal(SIGTERM)
        #expect(await process.ended() == 0)
        #expect(process.errors.components(separatedBy: "manager is not told").count == 2)
        try await stack.start("request/1")
      }
    }
  }
}
