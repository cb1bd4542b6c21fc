public import Foundation

/// Development certificates, made by the script that `make run` uses.
public enum Certificates {
  public static func make(in directory: URL) throws {
    let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy/certificates/make-development")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [script.path, directory.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ServerProcess.Failed(description: "\(script.path) failed")
    }
  }
}
