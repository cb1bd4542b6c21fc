public import Transport

/// What a process tells its service manager, in the order of its life; confined to its loop.
/// Without a manager it does nothing.
///
/// A message that the manager has no room for is sent again, and one that it cannot get is logged,
/// once; neither holds anything up.
///
/// The watchdog hears from the loops that serve, and from nothing else, since it ends a process
/// that it does not hear from:
/// - A loop that turns no more serves nobody, and only a new start mends that.
/// - A disk that is stuck is not mended by one. The committer's thread hangs in the system then,
///   the next process would hang there too, and this one answers reads meanwhile and goes on by
///   itself.
/// - The committer's thread itself ends with a fault that ends the process, and else waits for
///   nothing but the disk and for batches.
///
/// Before the process is ready nobody watches: to load a large store takes a loop's one long turn.
public final class ManagerReports {
  private let manager: ServiceManager?
  private let loop: Loop
  private let log: Log
  /// What the manager had no room for, the oldest first.
  private var waiting: [ServiceManager.Message] = []
  private var retry: LoopTimer?
  private var hasFailed = false
  /// Whether the process is ready, which the manager also takes the end of a reload for. So before
  /// that it hears of one by the status alone.
  private var isReady = false
  /// What the process says of itself while nothing is the matter.
  private var serving = "Starting."
  /// What is the matter, until it is over.
  private var matter: String?
  /// Why files that were read anew are not used, until others are.
  private var unusedFiles: String?
  private var signs = LifeSigns()
  private static let retryMilliseconds: UInt64 = 1000
  /// Of messages that wait; those that are older say what is over.
  private static let waitingMax = 16

  public init(on loop: Loop, log: Log, manager: ServiceManager? = .own) {
    (self.loop, self.log, self.manager) = (loop, log, manager)
  }

  public func ready(port: UInt16) {
    isReady = true
    serving = "Serving on port \(port)."
    send(.ready(status: status))
  }

  private var status: String {
    [matter ?? serving, unusedFiles].compactMap(\.self).joined(separator: " ")
  }

  /// Something is the matter; nil when that is over.
  public func trouble(_ sentence: String?) {
    matter = sentence
    send(.status(status))
  }

  public func reloading() {
    if isReady { send(.reloading(microseconds: loop.monotonicMicroseconds)) }
  }

  /// - Parameter trouble: why what was read is not used.
  public func reloaded(_ trouble: String? = nil) {
    unusedFiles = trouble
    send(isReady ? .ready(status: status) : .status(status))
  }

  public func stopping() { send(.stopping) }

  // MARK: The watchdog

  /// Lets the watchdog know again and again that all parts of the process live.
  /// - Parameter ask: asks each of the parts, which answer by `heard`.
  public func watch(parts: Int, _ ask: @escaping () -> Void) {
    guard let milliseconds = manager?.aliveMilliseconds else { return }
    loop.every(milliseconds) { [self] in if signs.ask(0..<parts) { ask() } }
  }

  public func heard(from part: Int) {
    if signs.heard(from: part) { send(.alive) }
  }

  // MARK: Sending

  private func send(_ message: ServiceManager.Message) {
    if manager == nil { return }
    waiting.append(message)
    if waiting.count > Self.waitingMax { waiting.removeFirst() }
    if retry == nil { sendWaiting() }
  }

  private func sendWaiting() {
    guard let manager else { return }
    while let message = waiting.first {
      switch manager.send(message) {
      case .sent: hasFailed = false
      case .failed(let reason):
        if !hasFailed { log.warning("the service manager is not told", ["reason": reason]) }
        hasFailed = true
      case .later:
        retry = loop.after(Self.retryMilliseconds) { [self] in
          retry = nil
          sendWaiting()
        }
        return
      }
      waiting.removeFirst()
    }
  }
}
