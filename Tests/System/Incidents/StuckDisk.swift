import Foundation
import Stack
import Testing

/// A disk that takes writes and does not end them, as a process sees it: its calls to sync a file
/// wait for as long as a file of the test's is there.
struct StuckDisk {
  private let file: URL

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <poll.h>
    #include <stdlib.h>
    #include <unistd.h>
    static int sync_by(const char *name, int file) {
      const char *stuck = getenv("STUCK_DISK");
      while (stuck && access(stuck, F_OK) == 0) poll(0, 0, 10);
      int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
      return real(file);
    }
    int fsync(int file) { return sync_by("fsync", file); }
    int fdatasync(int file) { return sync_by("fdatasync", file); }
    """

  init(in folder: URL) async throws {
    file = folder.appendingPathComponent("stuck")
    let source = folder.appendingPathComponent("stuck.c")
    try Data(Self.source.utf8).write(to: source)
    _ = try await Tools.run(
      "clang -shared -fPIC -o '\(folder.path)/stuck.so' '\(source.path)' -ldl")
  }

  /// The variables of the process whose disk it is.
  var environment: [String: String] {
    let library = file.deletingLastPathComponent().appendingPathComponent("stuck.so")
    return ["LD_PRELOAD": library.path, "STUCK_DISK": file.path]
  }

  func stick() throws { try Data().write(to: file) }
  func loosen() throws { try FileManager.default.removeItem(at: file) }
}

/// Runs a test against a stack of which one process has a disk that can be made to hang.
func withStuckDisk(
  of name: String, _ body: (Stack, StuckDisk) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-stuck-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let disk = try await StuckDisk(in: folder)
  var options = Stack.Options()
  options.environments[name] = disk.environment
  try await withStack(options) { stack in
    do {
      try await body(stack, disk)
    } catch {
      // Or the process could not even be stopped.
      try? disk.loosen()
      throw error
    }
  }
}
