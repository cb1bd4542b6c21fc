#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many files and sockets this process may have open at a time.
public enum Descriptors {
  /// What is kept for all but connections of peers: links, files of stores, the listening port. A
  /// process that is full of peers could not connect to another one again without it.
  static let keptForOthers = 512

  /// Lets the process have as many as it may give itself, and returns how many these are.
  public static func raiseLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(kind, &limits) == 0 else { return keptForOthers * 2 }
    limits.rlim_cur = limits.rlim_max
    unsafe setrlimit(kind, &limits)
    unsafe getrlimit(kind, &limits)
    return Int(clamping: limits.rlim_cur)
  }

  /// How many the process may have now.
  static var limit: Int {
    var limits = rlimit()
    guard unsafe getrlimit(kind, &limits) == 0 else { return 0 }
    return Int(clamping: limits.rlim_cur)
  }

  /// Returns how many of the connections that are wanted there is room for: at least half of all
  /// descriptors are theirs.
  public static func connections(_ wanted: Int, of descriptors: Int) -> Int {
    min(wanted, max(descriptors - keptForOthers, descriptors / 2))
  }

  #if canImport(Glibc)
    static var kind: Int32 { Int32(RLIMIT_NOFILE.rawValue) }
  #else
    static var kind: Int32 { RLIMIT_NOFILE }
  #endif
}
