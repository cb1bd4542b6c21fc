import Foundation
import Stack

/// A clock that jumps a day ahead for one process: for as long as a file of the test's is there.
struct JumpingClock {
  private static let source = """
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
        time->tv_sec += 86400;
      return result;
    }
    """

  private let file: URL

  init(in folder: URL) async throws {
    file = folder.appendingPathComponent("jump")
    let source = folder.appendingPathComponent("clock.c")
    try Data(Self.source.utf8).write(to: source)
    _ = try await Tools.run(
      "clang -shared -fPIC -o '\(folder.path)/clock.so' '\(source.path)' -ldl")
  }

  /// The variables of the process whose clock it is.
  var environment: [String: String] {
    let library = file.deletingLastPathComponent().appendingPathComponent("clock.so")
    return ["LD_PRELOAD": library.path, "JUMPING_CLOCK": file.path]
  }

  func jump() throws { try Data().write(to: file) }
  func comeBack() throws { try FileManager.default.removeItem(at: file) }
}
