#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of one store in one directory. Only the owner may read them.
struct StoreFiles: Sendable {
  let directory: String
  let name: String

  var journal: String { "\(directory)/\(name).journal.sqlite" }
  var tables: String { "\(directory)/\(name).tables.sqlite" }
  var lock: String { "\(directory)/\(name).lock" }

  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  func createDirectory() throws(StoreError) {
    // From the top: each name is made durable in the directory above it.
    var path = directory.hasPrefix("/") ? "" : "."
    for name in directory.split(separator: "/") {
      let parent = path.isEmpty ? "/" : path
      path += "/\(name)"
      if exists(path) { continue }
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw systemError(path) }
      try sync(parent)
    }
  }

  /// Creates an empty file and makes its name durable. SQLite would create it too, but readable for
  /// others; SQLite's side files take over the permissions of this one.
  func create(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError(path) }
    Self.close(descriptor)
    try sync(directory)
  }

  /// Makes the names in a directory durable.
  private func sync(_ path: String) throws(StoreError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(path) }
    defer { Self.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw systemError(path) }
  }

  fileprivate static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}

/// Tells other processes that a store is open. The kernel releases the lock when the process ends,
/// however it ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(StoreError) {
    descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      throw isTaken ? .inUse("\(path) is locked") : systemError(path)
    }
  }

  /// Releases the lock at once. Closing the descriptor alone would not: a child process that is
  /// being started has a copy of it until it runs its own program.
  func release() { _ = flock(descriptor, LOCK_UN) }

  deinit {
    if descriptor < 0 { return }
    release()
    StoreFiles.close(descriptor)
  }
}

private func systemError(_ path: String) -> StoreError {
  if errno == ENOSPC || errno == EDQUOT { return .full }
  return .other("\(path): \(unsafe String(cString: strerror(errno)))")
}
