import Foundation

/// A new directory that is removed when the object is released.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// - Parameter inMemory: makes it on a file system in memory if there is one, for many short
  ///   rounds.
  public init(_ name: String = "store", inMemory: Bool = false) {
    let memory = "/dev/shm"
    let usesMemory = inMemory && FileManager.default.isWritableFile(atPath: memory)
    let parent = usesMemory ? memory : FileManager.default.temporaryDirectory.path
    // SQLite names its files by the path without symbolic links, and so do faulty disks.
    let real = URL(fileURLWithPath: parent).resolvingSymlinksInPath().path
    path = "\(real)/muster-\(name)-\(UInt64.random(in: .min ... .max))"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
