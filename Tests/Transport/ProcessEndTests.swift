import Foundation
import Testing
import Transport

/// `exit` runs what libraries asked for while the other threads go on, loops among them.
@Suite("End of a process")
struct ProcessEndTests {
  /// What is registered first runs last: after the TLS library's own, had it registered any.
  @Test("Cryptography and TLS stay whole until the process is gone")
  func libraryStaysWhole() async {
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { _ = Crypto.sha256([1]) }
      _ = Crypto.sha256([1])
      exit(7)
    }
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { if (try? TLSClientContext(trust: .system)) == nil { _exit(1) } }
      _ = try? TLSClientContext(trust: .system)
      exit(7)
    }
  }
}
