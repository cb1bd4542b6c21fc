#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of one store in one directory. Only the owner may read them.
struct StoreFiles: Sendable {
  let directory: String
  let name: String
  var names: any FileNames = SystemFileNames()

  var journal: String { "\(directory)/\(name).journal.sqlite" }
  var tables: String { "\(directory)/\(name).tables.sqlite" }
  var lock: String { "\(directory)/\(name).lock" }

  func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  func createDirectory() throws(StoreError) {
    // From the top: each name is made durable in the directory above it.
    for (parent, path) in pathFromTop where !exists(path) {
      try names.createDirectory(path)
      try names.syncDirectory(parent)
    }
  }

  /// Makes durable that the directory and what is in it are there: a start that ended too early may
  /// have made names that it did not come to sync.
  func sync() throws(StoreError) {
    for (parent, _) in pathFromTop { try names.syncDirectory(parent) }
    try names.syncDirectory(directory)
  }

  /// Creates an empty file and makes its name durable. SQLite would create it too, but readable for
  /// others; SQLite's side files take over the permissions of this one.
  func create(_ path: String) throws(StoreError) {
    try names.createFile(path)
    try names.syncDirectory(directory)
  }

  /// Each directory on the way to the store's own, that one too, and the one that it is in.
  private var pathFromTop: [(parent: String, path: String)] {
    var path = directory.hasPrefix("/") ? "" : "."
    return directory.split(separator: "/").map { name in
      let parent = path.isEmpty ? "/" : path
      path += "/\(name)"
      return (parent, path)
    }
  }
}

/// Tells other processes that a store is open. The kernel releases the lock when the process ends,
/// however it ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(StoreError) {
    descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .inUse("\(path) is locked") : .system(path)
    }
  }

  /// Releases the lock at once. Closing the descriptor alone would not: a child process that is
  /// being started has a copy of it until it runs its own program.
  func release() { _ = flock(descriptor, LOCK_UN) }

  deinit {
    if descriptor < 0 { return }
    release()
    closeFile(descriptor)
  }
}
