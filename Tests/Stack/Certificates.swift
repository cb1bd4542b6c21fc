public import Foundation

/// Development certificates, made by the script that `make run` uses.
public enum Certificates {
  /// Makes all certificates anew but the authority's, which signs the new ones too.
  public static func renew(in directory: URL, days: Int = 365) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    for file in files where !file.lastPathComponent.hasPrefix("authority.") {
      try FileManager.default.removeItem(at: file)
    }
    try make(in: directory, days: days)
  }

  /// - Parameter days: how long they are good; what is there and good for half of that is kept.
  public static func make(in directory: URL, days: Int = 365) throws {
    let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy/certificates/make-development")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [script.path, directory.path, "\(days)"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ServerProcess.Failed(description: "\(script.path) failed")
    }
  }
}
