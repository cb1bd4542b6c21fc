import Foundation
import Locking

/// The socket of a service manager that a test plays: what `NOTIFY_SOCKET` names.
public final class NotifySocket: Sendable {
  private struct Inbox {
    var messages: [String] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isOver = false
  }

  /// As the variable has it: a path, or `@` and an abstract name.
  public let name: String
  private let descriptor: Int32
  private let inbox = Locked(Inbox())
  private static let end = "the end"

  /// - Parameter reads: false for a manager that reads nothing until `read` is called.
  public init(isAbstract: Bool = false, reads: Bool = true) throws {
    let word = "muster-\(UInt32.random(in: 0 ... .max))"
    // A path has 107 bytes at most.
    name = isAbstract ? "@\(word)" : NSTemporaryDirectory() + word
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let descriptor = descriptor
    let result = unsafe Self.withAddress(name) { unsafe bind(descriptor, $0, $1) }
    guard descriptor >= 0, result == 0 else {
      throw ServerProcess.Failed(description: "no socket \(name): errno \(errno)")
    }
    if reads { read() }
  }

  /// Reads on a thread of its own from now on.
  public func read() {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 && errno == EINTR { continue }
        let text = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
        let isOver = count < 0 || text == Self.end
        change { if isOver { $0.isOver = true } else { $0.messages.append(text) } }
        if isOver { break }
      }
      Foundation.close(descriptor)
    }
  }

  /// What has come, in order.
  public var messages: [String] { inbox.withLock { $0.messages } }

  /// Waits until what has come is as wanted; false when the test is over before.
  @discardableResult
  public func received(_ isWanted: @escaping @Sendable ([String]) -> Bool) async -> Bool {
    await withTaskCancellationHandler {
      while !inbox.withLock({ isWanted($0.messages) || $0.isOver }) {
        await withCheckedContinuation { continuation in
          let isDone = inbox.withLock { inbox in
            if isWanted(inbox.messages) || inbox.isOver { return true }
            inbox.waiters.append(continuation)
            return false
          }
          if isDone { continuation.resume() }
        }
      }
    } onCancel: {
      change { $0.isOver = true }
    }
    return isWanted(messages)
  }

  /// Ends the thread that reads.
  public func close() {
    let bytes = Array(Self.end.utf8)
    _ = unsafe Self.withAddress(name) { unsafe sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    if !name.hasPrefix("@") { unsafe unlink(name) }
  }

  private func change(_ body: (inout Inbox) -> Void) {
    let waiters = inbox.withLock { inbox in
      body(&inbox)
      defer { inbox.waiters = [] }
      return inbox.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private static func withAddress<Value>(
    _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
    }
  }
}
