internal import CUV

/// One libuv handle and the closure that its events run.
///
/// libuv closes a handle asynchronously and uses its memory until it calls back. So the object
/// keeps itself alive from `adopt` to that callback, whoever else releases it.
@safe
final class UVHandle {
  let memory: UnsafeMutableRawPointer
  /// Called with the status and the poll events, both 0 for handles that have none.
  var body: ((_ status: Int32, _ events: Int32) -> Void)?
  private(set) var isClosed = false

  /// Allocates memory for a handle of `size` bytes; the matching `uv_*_init` must initialise it.
  init(size: Int) {
    unsafe memory = .allocate(byteCount: size, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit { unsafe memory.deallocate() }

  var handle: UnsafeMutablePointer<uv_handle_t> {
    unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
  }

  /// Hands the initialised handle to its loop.
  func adopt() {
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  func close() {
    if isClosed { return }
    isClosed = true
    body = nil
    unsafe uv_close(handle) { handle in
      guard let data = unsafe handle?.pointee.data else { return }
      unsafe Unmanaged<UVHandle>.fromOpaque(data).release()
    }
  }

  /// What all of libuv's callbacks call: finds the object of a handle and runs its closure.
  static func event(_ raw: UnsafeMutableRawPointer?, _ status: Int32 = 0, _ events: Int32 = 0) {
    guard let data = unsafe raw?.assumingMemoryBound(to: uv_handle_t.self).pointee.data else {
      return
    }
    let handle = unsafe Unmanaged<UVHandle>.fromOpaque(data).takeUnretainedValue()
    handle.body?(status, events)
  }
}
