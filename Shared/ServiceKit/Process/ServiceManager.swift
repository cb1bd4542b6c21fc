#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The service manager that has started this process (systemd), where it wants to hear from it, by
/// the protocol of `sd_notify`: lines `NAME=VALUE` in one datagram to the socket that the variable
/// `NOTIFY_SOCKET` names.
public struct ServiceManager: Sendable {
  enum Message: Equatable {
    /// The process serves; also after it was `reloading`.
    case ready(status: String)
    /// Files are being read anew, since that time of the monotonic clock.
    case reloading(microseconds: UInt64)
    case stopping
    case status(String)
    /// What the watchdog waits for.
    case alive

    var text: String {
      switch self {
      case .ready(let status): "READY=1\n\(Self.status(status).text)"
      case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
      case .stopping: "STOPPING=1\nSTATUS=Answering what is open, then ending."
      // A line's end would begin another message.
      case .status(let text):
        "STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
      case .alive: "WATCHDOG=1"
      }
    }
  }

  enum Outcome: Equatable {
    case sent
    /// The manager does not keep up, or the system has no room now.
    case later
    case failed(String)
  }

  /// As in `sockaddr_un.sun_path`: an abstract name begins with 0.
  let address: [UInt8]
  /// How often the watchdog is told that the process lives: half of the time after which it ends
  /// the process. Nil without a watchdog, or where it watches another process.
  let aliveMilliseconds: UInt64?

  /// Nil where no manager wants to hear from the process `process`.
  init?(environment: [String: String], process: Int32) {
    guard let name = environment["NOTIFY_SOCKET"], let first = name.first,
      first == "/" || first == "@", name.utf8.count > 1, name.utf8.count <= Self.addressBytesMax
    else { return nil }
    address = (first == "@" ? [0] : [UInt8(ascii: "/")]) + name.utf8.dropFirst()
    let isWatched = environment["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
    aliveMilliseconds = isWatched && microseconds > 0 ? max(microseconds / 2000, 1) : nil
  }

  /// A path ends with a byte 0.
  private static var addressBytesMax: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  /// The manager of this process.
  public static var own: ServiceManager? {
    var environment: [String: String] = [:]
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] {
      environment[name] = unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    return ServiceManager(environment: environment, process: getpid())
  }

  /// Sends a message, by a socket of its own: there are few. It never waits.
  func send(_ message: Message) -> Outcome {
    #if canImport(Glibc)
      let kind = SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
      let descriptor = socket(AF_UNIX, Int32(kind), 0)
      if descriptor < 0 { return Self.outcome(errno) }
      defer { close(descriptor) }
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: address) }
      let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
      let size = socklen_t(start + address.count)
      let bytes = Array(message.text.utf8)
      let count = unsafe withUnsafePointer(to: &name) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic, size)
        }
      }
      return count < 0 ? Self.outcome(errno) : .sent
    #else
      return .failed("only Linux has such a manager")
    #endif
  }

  private static func outcome(_ number: Int32) -> Outcome {
    switch number {
    case EAGAIN, EINTR, ENOBUFS, ENOMEM, EMFILE, ENFILE: .later
    default: .failed(unsafe String(cString: strerror(number)))
    }
  }
}
