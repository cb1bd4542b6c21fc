import Testing
import Wire

@testable import ServiceKit

@Suite struct ListenAddressTests {
  @Test("a process listens on this machine alone unless it is told otherwise")
  func loopback() throws {
    for service in Service.allCases {
      let port = CommonSettings.defaultPort(service)
      let listen = try #require(CommonSettings.all(port: port).first { $0.name == "listen" })
      #expect(listen.fallback == "127.0.0.1:\(7400 + Int(service.rawValue))")
    }
  }
}
