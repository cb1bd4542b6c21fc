internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How the TLS library reads and writes a socket: with `recv` and `send`. By itself it would use
/// `read` and `write`, which go through the system's layers for files first and are slower.
///
/// A read takes no more bytes than `allow` has allowed. Past them the library is told to try again
/// later: a peer that sends without end would otherwise keep it inside one call, where it goes on
/// for as long as messages come that are not for the caller.
enum SocketBIO {
  /// The flag by which OpenSSL tells that the end of the stream was read, and not a fault met.
  private static let endOfStream: Int32 = BIO_FLAGS_IN_EOF
  private static let retry = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

  /// The table of functions for the library; made once and never freed, as the library's own are.
  private nonisolated(unsafe) static let method: OpaquePointer? = {
    let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    let method = unsafe BIO_meth_new(type, "muster socket")
    unsafe BIO_meth_set_read(method) { bio, buffer, count in
      var state = unsafe State(of: bio)
      let countMax = min(Int(count), Int(state.readLeft))
      if countMax == 0 && count > 0 {
        unsafe SocketBIO.note(bio, EAGAIN, BIO_FLAGS_READ)
        return -1
      }
      let result = unsafe recv(state.descriptor, buffer, countMax, 0)
      unsafe SocketBIO.note(bio, result < 0 ? errno : 0, BIO_FLAGS_READ)
      state.readLeft -= UInt32(max(result, 0))
      unsafe state.store(in: bio)
      if result == 0 { unsafe BIO_set_flags(bio, SocketBIO.endOfStream) }
      return Int32(result)
    }
    unsafe BIO_meth_set_write(method) { bio, bytes, count in
      var state = unsafe State(of: bio)
      // A write to a closed socket returns an error: `LoopExecutor` ignores SIGPIPE.
      let result = unsafe send(
        state.descriptor, bytes, Int(count), state.isFollowed ? SocketBIO.followed : 0)
      unsafe SocketBIO.note(bio, result < 0 ? errno : 0, BIO_FLAGS_WRITE)
      if state.isFollowed {
        state.isFollowed = false
        unsafe state.store(in: bio)
      }
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
    unsafe State(descriptor: descriptor, readLeft: 0).store(in: bio)
    unsafe BIO_set_init(bio, 1)
    unsafe SSL_set_bio(ssl, bio, bio)
    return true
  }

  /// Lets reads take so many bytes from now on.
  static func allow(_ ssl: OpaquePointer?, _ byteCount: Int) {
    let bio = unsafe SSL_get_rbio(ssl)
    var state = unsafe State(of: bio)
    state.readLeft = UInt32(clamping: byteCount)
    unsafe state.store(in: bio)
  }

  /// Returns how many bytes reads may still take.
  static func readLeft(_ ssl: OpaquePointer?) -> UInt32 {
    unsafe State(of: SSL_get_rbio(ssl)).readLeft
  }

  /// Says whether more is written soon after the next write. The system then holds what that writes
  /// until it has both, or for 200 ms: one packet for the peer in place of two. Where it cannot, it
  /// sends both at once.
  static func expectMore(_ ssl: OpaquePointer?, _ isFollowed: Bool) {
    guard let bio = unsafe SSL_get_rbio(ssl) else { return }
    var state = unsafe State(of: bio)
    state.isFollowed = isFollowed
    unsafe state.store(in: bio)
  }

  #if canImport(Glibc)
    private static let followed = Int32(MSG_MORE)
  #else
    private static let followed: Int32 = 0
  #endif

  /// How many bytes were read so far. The library counts what a BIO has passed on.
  static func readCount(_ ssl: OpaquePointer?) -> UInt64 {
    unsafe BIO_number_read(SSL_get_rbio(ssl))
  }

  /// How many bytes were written so far. One BIO both reads and writes.
  static func writtenCount(_ ssl: OpaquePointer) -> UInt64 {
    unsafe BIO_number_written(SSL_get_rbio(ssl))
  }

  /// What a BIO knows. It takes the place of the pointer that the library keeps with each BIO, so
  /// that a connection needs no memory for it.
  private struct State {
    /// The highest bit of the number of bytes is that of `isFollowed`.
    private static let readMax = UInt32(Int32.max)
    var descriptor: Int32
    var readLeft: UInt32
    /// Whether more follows the next write.
    var isFollowed = false

    init(descriptor: Int32, readLeft: UInt32) {
      (self.descriptor, self.readLeft) = (descriptor, readLeft)
    }

    init(of bio: OpaquePointer?) {
      let bits = UInt64(UInt(bitPattern: unsafe BIO_get_data(bio)))
      descriptor = Int32(truncatingIfNeeded: bits)
      readLeft = UInt32(truncatingIfNeeded: bits >> 32) & Self.readMax
      isFollowed = bits >> 63 == 1
    }

    func store(in bio: OpaquePointer?) {
      let high = min(readLeft, Self.readMax) | (isFollowed ? ~Self.readMax : 0)
      let bits = UInt64(high) << 32 | UInt64(UInt32(bitPattern: descriptor))
      unsafe BIO_set_data(bio, UnsafeMutableRawPointer(bitPattern: UInt(bits)))
    }
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
