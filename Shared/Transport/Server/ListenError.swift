/// Why a process cannot listen on a port; the text says what to do about it.
public enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(UInt16)
  case notAllowed(UInt16)
  case unknownHost(String)
  case system(String)

  public var description: String {
    switch self {
    case .portInUse(let port):
      "port \(port) is in use by another process: stop that one or choose another port"
    case .notAllowed(let port):
      "not allowed to listen on port \(port): ports below 1024 need root"
    case .unknownHost(let why): "cannot listen: \(why)"
    case .system(let why): "cannot listen: \(why)"
    }
  }
}
