#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file whose text is yet to be made, and cannot be made twice: a player's credential. The room
/// on the disk is taken before, in a file beside it, so that a full disk is noticed while there is
/// no player yet. The file gets its name once it is whole.
///
/// A lock on the file beside it says that somebody is at it. Of one who was interrupted nothing
/// stays in the way: the lock ends with the process, and what was left is written over.
package final class ReservedFile {
  package enum Fault: Error, Equatable, CustomStringConvertible {
    /// Another program fills the file, or has filled it.
    case isTaken
    /// The number of the system's error.
    case failed(Int32)

    package var description: String {
      switch self {
      case .isTaken: "another program is at it"
      case .failed(let number): unsafe String(cString: strerror(number))
      }
    }
  }

  private let path: String
  private let partPath: String
  private let descriptor: Int32

  /// More than any credential takes.
  private static let roomBytes = 512

  /// - Parameter path: where nothing is yet, or an empty file.
  package init(_ path: String) throws(Fault) {
    self.path = path
    partPath = Self.partPath(path)
    // It is its owner's alone from the first moment, and nobody else's link leads to another place.
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = unsafe open(partPath, flags, 0o600)
    if descriptor < 0 { throw .failed(errno) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      throw errno == EWOULDBLOCK ? .isTaken : .failed(errno)
    }
    // Whoever had the lock before may have named the file meanwhile.
    if !isAtPartPath { throw .isTaken }
    if isFilled {
      giveUp()
      throw .isTaken
    }
    do throws(Fault) {
      try write([UInt8](repeating: UInt8(ascii: "\n"), count: Self.roomBytes))
    } catch {
      giveUp()
      throw error
    }
  }

  deinit { close(descriptor) }

  /// A name that no stored player has: it begins with a dot.
  private static func partPath(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(path.dropLast(name.count)) + ".\(name).part"
  }

  private var isAtPartPath: Bool {
    var (own, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(partPath, &named) == 0 else {
      return false
    }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  private var isFilled: Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_size > 0
  }

  /// Writes the text in place of the room, and gives the file its name.
  package func keep(_ text: String) throws(Fault) {
    try write(Array(text.utf8))
    guard ftruncate(descriptor, off_t(text.utf8.count)) == 0, fsync(descriptor) == 0,
      unsafe rename(partPath, path) == 0
    else { throw .failed(errno) }
  }

  /// There will be no text.
  package func giveUp() { unsafe unlink(partPath) }

  private func write(_ bytes: [UInt8]) throws(Fault) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes { left in
        unsafe pwrite(descriptor, left.baseAddress, left.count, off_t(start))
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .failed(errno) }
      start += count
    }
    if fsync(descriptor) != 0 { throw .failed(errno) }
  }
}
