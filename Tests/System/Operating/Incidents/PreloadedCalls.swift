import Foundation
import Stack
import Testing

/// Calls of the C library that some processes make otherwise, for as long as a switch is on: a
/// library that is loaded before it, and a file of the test's that is the switch.
struct PreloadedCalls {
  private let library: URL
  private let file: URL

  /// - Parameter source: in C. Its calls are other ones while `is_on()` is true.
  init(_ source: String, in folder: URL) async throws {
    file = folder.appendingPathComponent("on")
    library = folder.appendingPathComponent("calls.so")
    let path = folder.appendingPathComponent("calls.c")
    try Data((Self.prelude + source).utf8).write(to: path)
    _ = try await Tools.run("clang -shared -fPIC -o '\(library.path)' '\(path.path)' -ldl")
  }

  private static let prelude = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <poll.h>
    #include <stdlib.h>
    #include <time.h>
    #include <unistd.h>
    static int is_on(void) {
      const char *file = getenv("PRELOADED_SWITCH");
      return file && access(file, F_OK) == 0;
    }

    """

  /// The variables of a process whose calls they are.
  var environment: [String: String] {
    ["LD_PRELOAD": library.path, "PRELOADED_SWITCH": file.path]
  }

  func turnOn() throws { try Data().write(to: file) }
  func turnOff() throws { try FileManager.default.removeItem(at: file) }
}

/// Runs a test against a stack of which some processes have such calls. They are as always again
/// when the test fails: a process may not even be stopped otherwise.
func withPreloadedCalls(
  _ source: String, of names: [String], _ body: (Stack, PreloadedCalls) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-calls-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let calls = try await PreloadedCalls(source, in: folder)
  var options = Stack.Options()
  for name in names { options.environments[name] = calls.environment }
  try await withStack(options) { stack in
    do {
      try await body(stack, calls)
    } catch {
      try? calls.turnOff()
      throw error
    }
  }
}
