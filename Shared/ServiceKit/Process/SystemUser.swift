#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The user of the system that the process runs as.
enum SystemUser {
  /// The name, or the number of a user without one; nil for root.
  static var unprivileged: String? {
    let number = geteuid()
    if number == 0 { return nil }
    guard let entry = unsafe getpwuid(number) else { return "\(number)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }
}
