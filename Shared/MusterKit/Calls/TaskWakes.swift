internal import Transport

/// Wakes the tasks whose calls of a loop were answered, many at a time.
///
/// One alone costs the system a thread that wakes up and goes to sleep again. Among others it costs
/// nothing of the kind: the threads that run tasks find the next one before they sleep.
final class TaskWakes {
  /// Tasks that wait for others at most, so that other threads have something to do while a long
  /// turn of the loop goes on.
  static let gatheredMax = 32

  private unowned let loop: Loop
  private var gathered: [(call: PendingCall, result: Result<[UInt8], MusterError>)] = []
  private var isAsked = false

  /// The one of all clients on a loop.
  static func shared(on loop: Loop) -> TaskWakes {
    if let known = loop.keptObject(TaskWakes.self) { return known }
    let wakes = TaskWakes(loop)
    loop.keep(wakes)
    return wakes
  }

  private init(_ loop: Loop) { self.loop = loop }

  /// Answers a call at the end of this turn of the loop, or before.
  func wake(_ call: PendingCall, _ result: Result<[UInt8], MusterError>) {
    gathered.append((call, result))
    if gathered.count >= Self.gatheredMax { return wakeAll() }
    if isAsked { return }
    isAsked = true
    loop.atEndOfTurn { [self] in
      isAsked = false
      wakeAll()
    }
  }

  private func wakeAll() {
    for (call, result) in gathered { call.answer(result) }
    gathered.removeAll(keepingCapacity: true)
  }
}
