#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much room there is on the disk of a folder.
package struct DiskRoom: Equatable, Sendable {
  /// What a process may still write that is not the system's own.
  package var freeBytes: UInt64
  package var totalBytes: UInt64

  /// A file system that does not know may tell of more blocks than there can be.
  init(free: UInt64, total: UInt64, blockBytes: UInt64) {
    (freeBytes, totalBytes) = (Self.bytes(free, blockBytes), Self.bytes(total, blockBytes))
  }

  private static func bytes(_ blocks: UInt64, _ blockBytes: UInt64) -> UInt64 {
    let (bytes, isOver) = blocks.multipliedReportingOverflow(by: blockBytes)
    return isOver ? .max : bytes
  }

  /// Nil where the system does not tell. A disk that hangs may keep whoever asks.
  package static func look(at path: String) -> DiskRoom? {
    var info = statvfs()
    guard unsafe statvfs(path, &info) == 0 else { return nil }
    return DiskRoom(
      free: UInt64(info.f_bavail), total: UInt64(info.f_blocks), blockBytes: UInt64(info.f_frsize))
  }
}
