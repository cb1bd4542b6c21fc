#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a store does to the names in directories, besides what SQLite does. Tests put a disk in its
/// place that loses names.
package protocol FileNames: Sendable {
  /// Makes an empty file that only its owner may read, or leaves the one that is there.
  func createFile(_ path: String) throws(StoreError)
  /// Makes a directory that only its owner may read, or leaves the one that is there.
  func createDirectory(_ path: String) throws(StoreError)
  /// Makes the names in a directory durable.
  func syncDirectory(_ path: String) throws(StoreError)
}

struct SystemFileNames: FileNames {
  func createFile(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path) }
    closeFile(descriptor)
  }

  func createDirectory(_ path: String) throws(StoreError) {
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path) }
  }

  func syncDirectory(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A directory far above that we may only pass through: we have made no name in it.
      if errno == EACCES { return }
      throw .system(path)
    }
    defer { closeFile(descriptor) }
    guard fsync(descriptor) == 0 else {
      // Some file systems have no such names to lose, as one that is mounted to be read only.
      if errno == EINVAL || errno == EROFS { return }
      throw .system(path)
    }
  }
}

extension StoreError {
  /// What the system's last call failed with.
  static func system(_ path: String) -> StoreError {
    if errno == ENOSPC || errno == EDQUOT { return .full }
    return .other("\(path): \(unsafe String(cString: strerror(errno)))")
  }
}

func closeFile(_ descriptor: Int32) {
  #if canImport(Glibc)
    _ = Glibc.close(descriptor)
  #else
    _ = Darwin.close(descriptor)
  #endif
}
