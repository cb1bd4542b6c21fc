import Stack

/// A disk that takes writes and does not end them, as a process sees it: its calls to sync a file
/// wait.
struct StuckDisk {
  fileprivate static let source = """
    static int sync_by(const char *name, int file) {
      while (is_on()) poll(0, 0, 10);
      int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
      return real(file);
    }
    int fsync(int file) { return sync_by("fsync", file); }
    int fdatasync(int file) { return sync_by("fdatasync", file); }
    """

  fileprivate let calls: PreloadedCalls

  func stick() throws { try calls.turnOn() }
  func loosen() throws { try calls.turnOff() }
}

/// Runs a test against a stack of which one process has a disk that can be made to hang.
func withStuckDisk(
  of name: String, _ body: (Stack, StuckDisk) async throws -> Void
) async throws {
  try await withPreloadedCalls(StuckDisk.source, of: [name]) { stack, calls in
    try await body(stack, StuckDisk(calls: calls))
  }
}
