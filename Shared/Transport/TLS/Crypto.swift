internal import COpenSSL

/// The few functions of OpenSSL that Muster needs besides TLS.
public enum Crypto {
  public static func hmacSHA256(key: [UInt8], data: [UInt8]) -> [UInt8] {
    OpenSSL.start()
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 32
    let result = unsafe HMAC(
      EVP_sha256(), key, Int32(key.count), data, data.count, &digest, &count)
    precondition(unsafe result != nil, "OpenSSL has no HMAC-SHA256")
    return digest
  }

  /// Compares secrets in a time that does not tell where they differ.
  public static func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// The library as a whole.
enum OpenSSL {
  /// Starts the library so that it does not clean up at the end of the process. Must be called
  /// before any other function of the library.
  ///
  /// By default the library frees its memory when the process ends. Loops on other threads may be
  /// in the middle of a handshake then, and the process would crash instead of ending with its exit
  /// code. The system takes the memory back in any case.
  static func start() { _ = isStarted }

  /// Whether `SSL_free_buffers` may be called at any moment. Before the versions below, the library
  /// freed the buffers in the middle of a record too, and went on using them (CVE-2024-4741). A
  /// version that a distribution has mended under its old number counts as not mended.
  static let canFreeBuffers: Bool = {
    let number = OpenSSL_version_num()
    let (major, minor, patch) = (number >> 28, number >> 20 & 0xff, number >> 4 & 0xff)
    let patchesMin: [UInt: UInt] = [0: 14, 1: 6, 2: 2, 3: 1]
    return major > 3 || major == 3 && patch >= patchesMin[minor, default: 0]
  }()

  private static let isStarted: Bool = {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
  }()
}
