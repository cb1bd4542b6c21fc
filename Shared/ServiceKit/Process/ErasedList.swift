package import Domain
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that lists who was erased. It lies beside the store and not within, so that a backup
/// that is put back does not bring anybody back with it (rule 7.3).
///
/// It only grows, by one record for each player: four bytes that begin one, the player's id, the
/// stand-in's, and a checksum. A record that was cut short by a crash hides none behind it: the
/// next is found by how it begins, and by its checksum.
package struct ErasedList {
  package static let recordBytes = 44
  private static let begin: [UInt8] = Array("ERA1".utf8)
  private let path: String

  package init(path: String) { self.path = path }

  /// The players on the list, which is made where it is missing: a place where it cannot be written
  /// shows at the start, and not at the first erasure.
  ///
  /// - Throws: a `SystemFault` when it cannot be read or written.
  package func load() throws -> [Erasure] {
    close(try descriptor(orMake: true))
    try flushDirectory()
    guard let bytes = SystemFile.bytes(of: path) else { throw SystemFault(path) }
    var erasures: [Erasure] = []
    var start = 0
    while start + Self.recordBytes <= bytes.count {
      if let erasure = Self.record(Array(bytes[start..<start + Self.recordBytes])) {
        erasures.append(erasure)
        start += Self.recordBytes
      } else {
        start += 1
      }
    }
    return erasures
  }

  /// Throws what would keep the list from being kept, and makes nothing. Returns whether it is
  /// there.
  package func look() throws -> Bool {
    if unsafe access(path, F_OK) == 0 {
      if unsafe access(path, R_OK | W_OK) != 0 { throw SystemFault(path) }
      return true
    }
    if unsafe access(directory, R_OK | W_OK | X_OK) != 0 { throw SystemFault(directory) }
    return false
  }

  /// Adds a record to the list that `load` has made, and returns when it is on the disk. The time
  /// that takes is that of a flush, in which the process does nothing else; players are seldom
  /// erased.
  ///
  /// - Throws: a `SystemFault` also where the list is missing by now: a new one would lack whom the
  ///   lost one had, and nobody would see that before the next start.
  package func append(_ erasure: Erasure) throws {
    let descriptor = try descriptor(orMake: false)
    defer { close(descriptor) }
    guard SystemFile.write(Self.bytes(of: erasure)[...], to: descriptor).isEmpty,
      fsync(descriptor) == 0
    else { throw SystemFault(path) }
    try flushDirectory()
  }

  /// For more to be added, to be closed.
  private func descriptor(orMake isMade: Bool) throws -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | (isMade ? O_CREAT : 0)
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemFault(path) }
    return descriptor
  }

  private var directory: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts == [""] ? "/" : parts.joined(separator: "/")
  }

  /// The file's name is in its directory, which is flushed apart.
  private func flushDirectory() throws {
    let directory = directory
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFault(directory) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw SystemFault(directory) }
  }

  private static func bytes(of erasure: Erasure) -> [UInt8] {
    var writer = Writer(capacity: recordBytes)
    writer.raw(begin + erasure.player.bytes + erasure.standIn.bytes)
    writer.integer(checksum(writer.bytes))
    return writer.bytes
  }

  private static func record(_ bytes: [UInt8]) -> Erasure? {
    guard bytes.starts(with: begin), let player = PlayerID(bytes: Array(bytes[4..<20])),
      let standIn = PlayerID(bytes: Array(bytes[20..<36])), !player.isNil, !standIn.isNil
    else { return nil }
    let erasure = Erasure(of: player, as: standIn)
    return self.bytes(of: erasure) == bytes ? erasure : nil
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    unsafe FNVHash(bytes.span.bytes).value
  }
}
