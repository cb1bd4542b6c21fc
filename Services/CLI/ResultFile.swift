import MusterKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that a command writes: readable by its owner alone, and under its name once it is whole.
/// Something else of that name, such as a pipe or a device, is written to as it is.
final class ResultFile {
  private let path: String
  private let partPath: String?
  private let descriptor: Int32

  init(_ path: String) throws(ResultFileError) {
    self.path = path
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    partPath = exists && status.st_mode & S_IFMT != S_IFREG ? nil : path + ".part"
    // Nobody else's link leads what is personal to another place.
    let flags = O_WRONLY | O_CLOEXEC | (partPath == nil ? 0 : O_CREAT | O_TRUNC | O_NOFOLLOW)
    descriptor = unsafe open(partPath ?? path, flags, 0o600)
    guard descriptor >= 0 else { throw ResultFileError(path, errno) }
  }

  deinit { close(descriptor) }

  func write(_ text: String) throws(ResultFileError) {
    try Self.write(text, to: descriptor, path)
  }

  /// Writes a text whole, however the system cuts it.
  static func write(_ text: String, to descriptor: Int32, _ path: String) throws(ResultFileError) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes { left in
        unsafe systemWrite(descriptor, left.baseAddress, left.count)
      }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw ResultFileError(path, errno)
      }
      start += count
    }
  }

  /// All is written: the file gets its name when it is on the disk.
  func finish() throws(ResultFileError) {
    guard let partPath else { return }
    guard fsync(descriptor) == 0, unsafe rename(partPath, path) == 0 else {
      throw ResultFileError(path, errno)
    }
  }

  /// What is written so far is of no use.
  func discard() {
    if let partPath { unsafe unlink(partPath) }
  }
}

/// The system's `write`, where a method has that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

struct ResultFileError: Error {
  var text: String

  init(text: String) { self.text = text }

  init(_ path: String, _ number: Int32) {
    text = "\(path) cannot be written: \(unsafe String(cString: strerror(number)))."
  }
}
