import Foundation
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension Operating {
  /// What an operator reads in the logs of processes.
  @Suite struct LogLines {
    @Test("nothing of a player is logged above debug, whatever the player does")
    func nothingPersonal() async throws {
      try await withIssuer(partitions: 2, logLevel: "debug") { stack, issuer in
        let game = stack.directory.appendingPathComponent("game.json")
        let declared =
          #"{"leaderboards":[{"board":"high"}],"achievements":[{"achievement":"first"}]}"#
        try Data(declared.utf8).write(to: game)
        _ = try await Tools.muster(working: stack, ["apply", game.path])
        let life = try await MarkedLife(in: stack, issuer)
        let address = "127.0.0.77"
        #expect(callRudely(from: address, to: stack.gatewayPort))
        let gateway = try await stack.process("gateway")
        #expect(await gateway.logged(address), "a client's address is there at debug")
        #expect(await gateway.logged("signed in player=\(life.player)"), "so is the player")
        try await stack.kill("request/1")
        try await stack.start("request/1")
        await life.close()
        var lineCount = 0
        for name in stack.names {
          for line in try await stack.process(name).errors.split(separator: "\n") {
            if line.contains(" debug ") { continue }
            lineCount += 1
            for planted in [
              MarkedLife.marker, address, "\(life.player)", "\(life.credential.device)",
              "\(life.others[0].credential.player)", "Other 0", TokenIssuer.audience,
            ] {
              #expect(!line.contains(planted), "\(name): \(line)")
            }
          }
        }
        #expect(lineCount > 20)
      }
    }

    @Test("strangers on a service's port bring a line a minute, which counts the others")
    func strangers() async throws {
      try await withStack { stack in
        let service = try await stack.process("request/1")
        let port = await stack.port("request/1")
        for _ in 0..<40 { #expect(callRudely(from: "127.0.0.1", to: port)) }
        #expect(await service.logged("warning muster-request peers: peer refused"))
        try await stack.expectServes()
        let refused = service.errors.split(separator: "\n").filter { $0.contains("peer refused") }
        #expect(refused.count < 5, "\(refused)")
        #expect(refused.allSatisfy { $0.hasSuffix("kept_back=0") })
      }
    }

    @Test("each process of several names its partition, and one that is alone does not")
    func partitions() async throws {
      try await withStack(Stack.Options(partitions: 2)) { stack in
        for name in ["context/1", "context/2"] {
          let part = name.suffix(1)
          let process = try await stack.process(name)
          #expect(await process.logged(" info muster-context \(part)/2 peers: peer connected"))
          for line in process.errors.split(separator: "\n") {
            #expect(line.contains(" muster-context \(part)/2"), "\(line)")
          }
        }
      }
      try await withStack { stack in
        let process = try await stack.process("context/1")
        #expect(await process.logged(" info muster-context peers: peer connected"))
      }
    }

    @Test("a subsystem has a level of its own")
    func levels() async throws {
      var options = Stack.Options()
      options.flags["context/1"] = ["--log-level", "info,peers=error,store=warning"]
      try await withStack(options) { stack in
        let process = try await stack.process("context/1")
        #expect(await process.logged(" services: service reached"))
        #expect(!process.errors.contains("peer connected"), "\(process.errors)")
        #expect(!process.errors.contains("loaded"))
      }
    }

    /// Sends what is no TLS, from a loopback address of its own, and goes.
    private func callRudely(from address: String, to port: UInt16) -> Bool {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      func bound(_ host: String, _ port: UInt16) -> sockaddr_in {
        var bound = sockaddr_in()
        bound.sin_family = sa_family_t(AF_INET)
        bound.sin_addr.s_addr = unsafe inet_addr(host)
        bound.sin_port = port.bigEndian
        return bound
      }
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      var (own, other) = (bound(address, 0), bound("127.0.0.1", port))
      let result = unsafe withUnsafePointer(to: &own) { own in
        unsafe own.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
          unsafe withUnsafePointer(to: &other) { other in
            unsafe other.withMemoryRebound(to: sockaddr.self, capacity: 1) { other in
              unsafe bind(descriptor, own, size) + connect(descriptor, other, size)
            }
          }
        }
      }
      let text = Array("this is no TLS at all\n".utf8)
      return unsafe result == 0
        && send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) == text.count
    }
  }
}
