internal import COpenSSL
internal import Locking

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension TLSClientContext {
  /// Returns the context with this trust and name, for the many connections of a process of which
  /// each does little. All who ask for the same have one, for as long as somebody holds it: the
  /// system's authorities alone take a megabyte. Their connections take the library's buffers only
  /// to read and to write.
  ///
  /// What is trusted is what the files say now: after one was changed, another context is made.
  public static func shared(trust: Trust, serverName: String? = nil) throws(TLSError)
    -> TLSClientContext
  {
    let key = Key(trust: trust, serverName: serverName, files: FileState.all(of: trust))
    if let known = contexts.withLock({ $0[key]?.context }) { return known }
    // The state was read first: where a file changes meanwhile, the next one to ask reads it again.
    let context = try TLSClientContext(
      trust: trust, serverName: serverName, keepsBuffers: false)
    return contexts.withLock { contexts in
      if let known = contexts[key]?.context { return known }
      contexts = contexts.filter { $0.value.context != nil }
      contexts[key] = Place(context: context)
      return context
    }
  }

  private struct Key: Hashable, Sendable {
    var trust: Trust
    var serverName: String?
    var files: [FileState]
  }

  private struct Place {
    weak var context: TLSClientContext?
  }

  private static let contexts = Locked([Key: Place]())
}

/// What changes whenever a file does; the same for all that cannot be read.
private struct FileState: Hashable, Sendable {
  private var device: UInt64 = 0
  private var number: UInt64 = 0
  private var size: Int64 = 0
  /// When its bytes and when its facts changed last: seconds and nanoseconds.
  private var times: [Int] = []

  private init(_ path: String) {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return }
    device = UInt64(truncatingIfNeeded: facts.st_dev)
    number = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    #if canImport(Darwin)
      let (changed, touched) = (facts.st_mtimespec, facts.st_ctimespec)
    #else
      let (changed, touched) = (facts.st_mtim, facts.st_ctim)
    #endif
    times = [changed.tv_sec, changed.tv_nsec, touched.tv_sec, touched.tv_nsec]
  }

  /// The states of the files that a trust is read from.
  static func all(of trust: TLSClientContext.Trust) -> [FileState] {
    switch trust {
    case .authority(let path): [FileState(path)]
    case .system:
      unsafe [
        FileState(path(X509_get_default_cert_file_env(), or: X509_get_default_cert_file())),
        FileState(path(X509_get_default_cert_dir_env(), or: X509_get_default_cert_dir())),
      ]
    }
  }

  /// The path in a variable of the environment, or the library's own.
  private static func path(_ variable: UnsafePointer<CChar>?, or other: UnsafePointer<CChar>?)
    -> String
  {
    if let variable = unsafe variable, let value = unsafe getenv(variable) {
      return unsafe String(cString: value)
    }
    return unsafe other.map { unsafe String(cString: $0) } ?? ""
  }
}
