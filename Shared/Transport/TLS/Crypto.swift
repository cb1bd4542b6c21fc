internal import COpenSSL

/// The few functions of OpenSSL that Muster needs besides TLS.
public enum Crypto {
  public static func hmacSHA256(key: [UInt8], data: [UInt8]) -> [UInt8] {
    OpenSSL.start()
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 32
    let result = unsafe HMAC(
      EVP_sha256(), key, Int32(key.count), data, data.count, &digest, &count)
    precondition(unsafe result != nil, "HMAC-SHA256 is not there")
    return digest
  }

  public static func sha256(_ data: [UInt8]) -> [UInt8] {
    OpenSSL.start()
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 32
    let result = unsafe EVP_Digest(data, data.count, &digest, &count, EVP_sha256(), nil)
    precondition(result == 1, "SHA-256 is not there")
    return digest
  }

  /// Bytes that nobody can guess; traps when the system has none to give.
  public static func randomBytes(_ count: Int) -> [UInt8] {
    OpenSSL.start()
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe RAND_bytes(&bytes, Int32(count))
    precondition(result == 1, "no random bytes")
    return bytes
  }

  /// Compares secrets without telling by its time where they differ.
  public static func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}

/// The library as a whole.
enum OpenSSL {
  /// To be called before anything else of the library is.
  ///
  /// By itself the library frees what it has when the process ends, while loops on other threads may
  /// be in the middle of a handshake: the process would crash instead of ending with its code. The
  /// system takes the memory back in any case.
  static func start() { _ = isStarted }

  /// Whether a connection's buffers may be freed at any moment. Before these versions the library
  /// freed them also in the middle of a record, and then went on using them (CVE-2024-4741); those
  /// that a distribution has mended without a new number count as not mended.
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
