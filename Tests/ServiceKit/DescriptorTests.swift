import Testing

@testable import ServiceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct DescriptorTests {
  @Test("connections leave descriptors for all else, and get half of few")
  func connections() {
    #expect(Descriptors.connections(20_000, of: 65_536) == 20_000)
    #expect(Descriptors.connections(20_000, of: 20_000) == 19_488)
    #expect(Descriptors.connections(20_000, of: 256) == 128)
    #expect(Descriptors.connections(4, of: 256) == 4)
  }

  @Test("a process gives itself all descriptors that it may have")
  func raised() {
    var before = rlimit()
    unsafe getrlimit(Descriptors.kind, &before)
    defer { unsafe setrlimit(Descriptors.kind, &before) }
    var lower = before
    lower.rlim_cur -= 1
    unsafe setrlimit(Descriptors.kind, &lower)
    #expect(Descriptors.raiseLimit() == Int(clamping: before.rlim_max))
  }
}
