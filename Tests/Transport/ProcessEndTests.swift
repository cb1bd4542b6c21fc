import Foundation
import TestKit
import Testing
import Transport

/// `exit` runs what libraries have registered while other threads go on, among them loops.
@Suite("End of a process", .endsAtLast)
struct ProcessEndTests {
  /// What is registered first runs last: after the TLS library's own, had it registered any.
  @Test("Cryptography and TLS stay whole until the process is gone")
  func libraryStaysWhole() async {
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { _ = Crypto.hmacSHA256(key: [], data: [1]) }
      _ = Crypto.hmacSHA256(key: [], data: [1])
      exit(7)
    }
    await #expect(processExitsWith: .exitCode(7)) {
      atexit { if (try? TLSClientContext(trust: .system)) == nil { _exit(1) } }
      _ = try? TLSClientContext(trust: .system)
      exit(7)
    }
  }

  @Test("Loops that give work to the thread pool do not disturb the end")
  func poolInUse() async {
    for _ in 0..<8 {
      await #expect(processExitsWith: .exitCode(7)) {
        let threads = (0..<3).map { LoopThread(name: "busy \($0)") }
        for thread in threads { await thread.run { loop in keepPoolBusy(loop) } }
        // This thread is none of the loops', like the one on which a main function ends.
        exit(7)
      }
    }
  }
}

/// Gives the pool as much work as it takes, from now on.
private func keepPoolBusy(_ loop: Loop) {
  for _ in 0..<8 { again() }
  func again() {
    loop.work {
      0
    } then: { _ in
      again()
    }
  }
}
