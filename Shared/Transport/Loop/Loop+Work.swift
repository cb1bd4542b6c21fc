internal import CUV

extension Loop {
  /// Runs `job` on libuv's thread pool, and then calls `then` with its value on the loop.
  ///
  /// This is for jobs that block: name resolution, slow hashes, reads of files and stores. Once the
  /// loop is over, neither is called.
  public func work<Value: Sendable>(
    _ job: @escaping @Sendable () -> Value, then: @escaping (Value) -> Void
  ) {
    if isOver { return }
    let item = unsafe WorkItem()
    // The pool writes the value before libuv hands the item back to the loop, which reads it.
    nonisolated(unsafe) var value: Value?
    unsafe item.run = { unsafe value = job() }
    unsafe item.done = { if let value = unsafe value { then(value) } }
    PoolDoor.pass { unsafe queue(item) }
  }

  @unsafe
  private func queue(_ item: WorkItem) {
    let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_work_t())
    unsafe request.pointee.data = unsafe Unmanaged.passRetained(item).toOpaque()
    unsafe uv_queue_work(
      uv, request,
      { request in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<WorkItem>.fromOpaque(data).takeUnretainedValue().run()
      },
      { request, _ in
        guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
        let item = unsafe Unmanaged<WorkItem>.fromOpaque(data).takeRetainedValue()
        unsafe request.deallocate()
        unsafe item.done()
      })
  }
}

@unsafe
private final class WorkItem {
  var run: () -> Void = {}
  var done: () -> Void = {}
}
