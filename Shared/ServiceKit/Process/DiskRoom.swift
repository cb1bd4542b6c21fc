package import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much room there is on the disk of a folder, as of the last look at it.
package final class DiskRoom {
  package struct Room: Equatable, Sendable {
    /// What a process may still write that is not the system's own.
    package var freeBytes: UInt64
    package var totalBytes: UInt64
  }

  static let lookMilliseconds: UInt64 = 10_000

  /// Nil where the system does not tell.
  package private(set) var room: Room?
  private let path: String
  private let loop: Loop
  private var isLooking = false

  /// Looks at once, and from then on every ten seconds for as long as it is there.
  package init(of path: String, on loop: Loop) {
    (self.path, self.loop) = (path, loop)
    room = Self.look(at: path)
    loop.every(Self.lookMilliseconds) { [weak self] in self?.look() }
  }

  /// Off the loop: a disk that hangs may keep whoever asks.
  private func look() {
    if isLooking { return }
    isLooking = true
    loop.work { [path] in
      Self.look(at: path)
    } then: { [weak self] room in
      self?.isLooking = false
      self?.room = room
    }
  }

  package static func look(at path: String) -> Room? {
    var info = statvfs()
    guard unsafe statvfs(path, &info) == 0 else { return nil }
    let unit = UInt64(info.f_frsize)
    return Room(
      freeBytes: UInt64(info.f_bavail) * unit, totalBytes: UInt64(info.f_blocks) * unit)
  }
}
