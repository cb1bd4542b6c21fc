internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How the TLS library reads and writes a socket: with `recv` and `send`. By itself it would use
/// `read` and `write`, which go through the system's layers for files first and are slower.
enum SocketBIO {
  /// The flag by which OpenSSL tells that the end of the stream was read, and not a fault met.
  private static let endOfStream: Int32 = BIO_FLAGS_IN_EOF
  private static let retry = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

  /// The table of functions for the library; made once and never freed, as the library's own are.
  private nonisolated(unsafe) static let method: OpaquePointer? = {
    let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    let method = unsafe BIO_meth_new(type, "muster socket")
    unsafe BIO_meth_set_read(method) { bio, buffer, count in
      let result = unsafe recv(SocketBIO.descriptor(bio), buffer, Int(count), 0)
      unsafe SocketBIO.note(bio, result < 0 ? errno : 0, BIO_FLAGS_READ)
      if result == 0 { unsafe BIO_set_flags(bio, SocketBIO.endOfStream) }
      return Int32(result)
    }
    unsafe BIO_meth_set_write(method) { bio, bytes, count in
      // A write to a closed socket returns an error: `LoopExecutor` ignores SIGPIPE.
      let result = unsafe send(SocketBIO.descriptor(bio), bytes, Int(count), 0)
      unsafe SocketBIO.note(bio, result < 0 ? errno : 0, BIO_FLAGS_WRITE)
      return Int32(result)
    }
    unsafe BIO_meth_set_ctrl(method) { bio, command, _, _ in
      switch command {
      // Every write goes to the socket at once, so there is nothing to flush.
      case BIO_CTRL_FLUSH: 1
      case BIO_CTRL_EOF: unsafe BIO_test_flags(bio, SocketBIO.endOfStream) == 0 ? 0 : 1
      default: 0
      }
    }
    return unsafe method
  }()

  /// Gives a TLS object its socket; the caller still has to close it. Returns false when there is
  /// no memory.
  static func attach(_ ssl: OpaquePointer, _ descriptor: Int32) -> Bool {
    guard let bio = unsafe BIO_new(method) else { return false }
    unsafe BIO_set_data(bio, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
    unsafe BIO_set_init(bio, 1)
    unsafe SSL_set_bio(ssl, bio, bio)
    return true
  }

  private static func descriptor(_ bio: OpaquePointer?) -> Int32 {
    Int32(Int(bitPattern: unsafe BIO_get_data(bio)))
  }

  /// Tells the library whether to try again when the socket is ready.
  /// - Parameter number: the number of the system's error; 0 when there was none.
  private static func note(_ bio: OpaquePointer?, _ number: Int32, _ direction: Int32) {
    unsafe BIO_clear_flags(bio, retry)
    if number != 0 && SystemError(number: number).isTryAgain {
      unsafe BIO_set_flags(bio, direction | BIO_FLAGS_SHOULD_RETRY)
    }
  }
}
