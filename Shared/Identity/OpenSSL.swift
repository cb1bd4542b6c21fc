internal import COpenSSL

/// The library as a whole.
enum OpenSSL {
  /// Starts the library so that it does not clean up at the end of the process, as `Transport`
  /// does: other threads may be using it then. Must be called before any other function of it.
  static func start() { _ = isStarted }

  /// Forgets the errors that a call has noted. The queue of errors belongs to the thread, and TLS
  /// connections of the same thread would take these for their own.
  static func forgetErrors() { ERR_clear_error() }

  private static let isStarted: Bool = {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
  }()
}
