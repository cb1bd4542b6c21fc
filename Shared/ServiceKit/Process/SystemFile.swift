#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Small files, and lines on the standard streams, by the system's own calls: Foundation would
/// bring fifty megabytes into each program.
public enum SystemFile {
  /// Nil when the file cannot be read or is not UTF-8.
  static func text(of path: String) -> String? {
    bytes(of: path).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Returns the text of a file with secrets, which others than its owner and group must not be
  /// able to read or change.
  ///
  /// - Parameter setting: the one that names the file, for the errors.
  public static func secretText(of path: String, setting: String) throws(ConfigurationError)
    -> String
  {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let text = text(of: path) else {
      throw ConfigurationError("--\(setting): \(path) cannot be read.")
    }
    guard status.st_mode & 0o007 == 0 else {
      throw ConfigurationError(
        "--\(setting): \(path) is open to every user of the machine; `chmod o= \(path)` mends it.")
    }
    return text
  }

  /// Whether the file has the same bytes for everyone who reads it, as a pipe has not; true also
  /// for one that is not there.
  static func mayBeReadAgain(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// Nil when the file cannot be read.
  public static func bytes(of path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe fread(&page, 1, page.count, file)
      if count == 0 { break }
      bytes += page[..<count]
    }
    return unsafe ferror(file) == 0 ? bytes : nil
  }

  /// Makes or replaces the file at once, so that nobody ever reads half of it.
  ///
  /// - Parameter isForAll: whether other users may read it, whatever the process's mask is.
  static func replace(_ path: String, with text: String, isForAll: Bool = false)
    throws(SystemFault)
  {
    let new = "\(path).new"
    let descriptor = unsafe open(new, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFault(path) }
    let isWritten = write(text, to: descriptor) && (!isForAll || fchmod(descriptor, 0o644) == 0)
    let fault = SystemFault(path)
    guard isWritten else {
      close(descriptor)
      unsafe unlink(new)
      throw fault
    }
    guard close(descriptor) == 0, unsafe rename(new, path) == 0 else { throw SystemFault(path) }
  }

  /// Writes all bytes, in one call where the system takes them whole; false when it could not.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8)[...], to: descriptor).isEmpty
  }

  /// Waits for as long as nobody takes the bytes of a pipe. Returns what the system refused.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> ArraySlice<UInt8> {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0 && errno == EAGAIN {
        // Another process that shares the descriptor may have made it one that does not block.
        awaitRoom(descriptor)
      } else if count == 0 || errno != EINTR {
        return rest
      }
    }
    return rest
  }

  private static func awaitRoom(_ descriptor: Int32) {
    var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&place, 1, -1)
  }
}

/// A call of the system that failed, with its own words about why.
struct SystemFault: Error, CustomStringConvertible {
  let description: String

  /// Reads `errno`: to be made right after the call.
  init(_ path: String) { description = "\(path): \(unsafe String(cString: strerror(errno)))" }
}
