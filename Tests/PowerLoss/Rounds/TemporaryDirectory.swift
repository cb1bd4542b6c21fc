import Foundation

/// A directory of its own that goes when this does.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init(_ name: String = "store") {
    let unique = "muster-\(name)-\(UInt64.random(in: .min ... .max))"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(unique).path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
