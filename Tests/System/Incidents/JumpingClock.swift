import Foundation
import Stack
import Testing

/// A clock that jumps some days ahead for some processes: for as long as a file of the test's is
/// there.
struct JumpingClock {
  private static func source(days: Int) -> String {
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdlib.h>
    #include <time.h>
    #include <unistd.h>
    int clock_gettime(clockid_t id, struct timespec *time) {
      static int (*real)(clockid_t, struct timespec *);
      if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
      int result = real(id, time);
      const char *jump = getenv("JUMPING_CLOCK");
      if (result == 0 && id == CLOCK_REALTIME && jump && access(jump, F_OK) == 0)
        time->tv_sec += \(days) * 86400L;
      return result;
    }
    """
  }

  private let file: URL

  init(in folder: URL, days: Int) async throws {
    file = folder.appendingPathComponent("jump")
    let source = folder.appendingPathComponent("clock.c")
    try Data(Self.source(days: days).utf8).write(to: source)
    _ = try await Tools.run(
      "clang -shared -fPIC -o '\(folder.path)/clock.so' '\(source.path)' -ldl")
  }

  /// The variables of a process whose clock it is.
  var environment: [String: String] {
    let library = file.deletingLastPathComponent().appendingPathComponent("clock.so")
    return ["LD_PRELOAD": library.path, "JUMPING_CLOCK": file.path]
  }

  func jump() throws { try Data().write(to: file) }
  func comeBack() throws { try FileManager.default.removeItem(at: file) }
}

/// Runs a test against a stack of which some processes have a clock that can be made to jump.
func withJumpingClock(
  of names: [String], days: Int, _ body: (Stack, JumpingClock) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-clock-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let clock = try await JumpingClock(in: folder, days: days)
  var options = Stack.Options()
  for name in names { options.environments[name] = clock.environment }
  try await withStack(options) { try await body($0, clock) }
}
