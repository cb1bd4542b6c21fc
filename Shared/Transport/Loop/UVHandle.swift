internal import CUV

/// One libuv handle and the closure that its events run.
///
/// libuv closes asynchronously and must find the handle's memory until it says that it is done, so
/// the handle keeps itself alive from `adopt` to the close callback, whoever else lets go of it.
@safe
final class UVHandle {
  let memory: UnsafeMutableRawPointer
  /// Called with the status and the poll events, both 0 for handles that have none.
  var body: ((_ status: Int32, _ events: Int32) -> Void)?
  private(set) var isClosed = false

  /// Memory for a handle of `size` bytes, to be initialised by the matching `uv_*_init`.
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

  /// The trampoline of all callbacks: finds the handle again and runs its closure.
  static func event(_ raw: UnsafeMutableRawPointer?, _ status: Int32 = 0, _ events: Int32 = 0) {
    guard let data = unsafe raw?.assumingMemoryBound(to: uv_handle_t.self).pointee.data else {
      return
    }
    let handle = unsafe Unmanaged<UVHandle>.fromOpaque(data).takeUnretainedValue()
    handle.body?(status, events)
  }
}
