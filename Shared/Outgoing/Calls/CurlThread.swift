internal import CCurl

/// Does the calls of a client, on its thread: takes what has arrived, lets libcurl do what is
/// possible at once, answers what has ended, and waits for sockets or for the next call.
///
/// A call that waits for its turn ends in time, too: the wait is no longer than until the first
/// deadline among those.
@safe
final class CurlThread {
  /// The longest wait when nothing is under way.
  private static let idleMillisecondsMax: Int32 = 60_000

  private let queue: CallQueue
  private var waiting: [QueuedCall] = []
  /// By the address of libcurl's object for one call.
  private var running: [UInt: CurlCall] = [:]

  init(_ queue: CallQueue) { self.queue = queue }

  /// Runs until the client is stopped.
  func run() {
    while true {
      let arrivals = queue.take()
      waiting += arrivals.calls
      if arrivals.isStopped { break }
      let now = SuspendingClock.now
      dropLate(now)
      startWaiting(now)
      var count: Int32 = 0
      unsafe _ = curl_multi_perform(queue.multi, &count)
      // What has ended may have made room for what waits.
      if answerEnded() && !waiting.isEmpty { continue }
      unsafe _ = curl_multi_poll(queue.multi, nil, 0, waitMilliseconds(now), nil)
    }
    for call in running.values { end(call, .failure(.stopped)) }
    for call in waiting { queue.finish(call, .failure(.stopped)) }
    queue.end()
  }

  private func dropLate(_ now: SuspendingClock.Instant) {
    guard waiting.contains(where: { $0.deadline <= now }) else { return }
    for call in waiting where call.deadline <= now { queue.finish(call, .failure(.timedOut)) }
    waiting.removeAll { $0.deadline <= now }
  }

  private func startWaiting(_ now: SuspendingClock.Instant) {
    let count = min(queue.settings.callsMax - running.count, waiting.count)
    for queued in waiting.prefix(count) {
      guard let call = CurlCall(queued, queue.settings, now) else {
        queue.finish(queued, .failure(.broken("libcurl does not take the call")))
        continue
      }
      let code = unsafe curl_multi_add_handle(queue.multi, call.easy)
      guard code == CURLM_OK else {
        let reason = unsafe String(cString: curl_multi_strerror(code))
        queue.finish(queued, .failure(.broken(reason)))
        continue
      }
      running[call.address] = call
    }
    waiting.removeFirst(count)
  }

  /// Returns whether a call has ended.
  private func answerEnded() -> Bool {
    var hasEnded = false
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(queue.multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE,
        let easy = unsafe message.pointee.easy_handle,
        let call = running[UInt(bitPattern: easy)]
      else { continue }
      // The message is gone once the call leaves libcurl's object.
      end(call, call.result(unsafe muster_curl_result(message)))
      hasEnded = true
    }
    return hasEnded
  }

  private func end(_ call: CurlCall, _ result: Result<HTTPSResponse, HTTPSError>) {
    unsafe _ = curl_multi_remove_handle(queue.multi, call.easy)
    running[call.address] = nil
    queue.finish(call.queued, result)
  }

  /// libcurl itself shortens the wait for the time-outs of calls that are under way.
  private func waitMilliseconds(_ now: SuspendingClock.Instant) -> Int32 {
    guard let first = waiting.map(\.deadline).min() else { return Self.idleMillisecondsMax }
    return Int32(clamping: now.duration(to: first).milliseconds + 1)
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
