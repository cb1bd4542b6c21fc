import CFaultyDisk
import Storage

/// A file system that fails, or loses its power, at a call that the test has chosen. See
/// `faulty_disk.h`.
@safe
public final class FaultyDisk {
  public enum Fault: String, CaseIterable, Sendable {
    case inputOutput
    case full
    case power
  }

  /// The name under which SQLite knows the file system.
  public let name: String
  private let disk: OpaquePointer

  public init() {
    name = "muster-faulty-\(UInt64.random(in: .min ... .max))"
    guard let disk = unsafe muster_disk_create(name) else {
      fatalError("SQLite did not take another file system")
    }
    unsafe self.disk = disk
  }

  deinit { unsafe muster_disk_destroy(disk) }

  public func arm(_ fault: Fault, at call: Int) {
    let raw =
      switch fault {
      case .inputOutput: MUSTER_FAULT_IO
      case .full: MUSTER_FAULT_FULL
      case .power: MUSTER_FAULT_POWER
      }
    unsafe muster_disk_arm(disk, raw, call)
  }

  public func disarm() { arm(.inputOutput, at: 0) }
  public var calls: Int { unsafe muster_disk_calls(disk) }
  public var hasFired: Bool { unsafe muster_disk_fired(disk) != 0 }
  public func cutPower() { unsafe muster_disk_cut(disk) }
  /// Goes on after the process alone has died: what it wrote is there, and may still be lost.
  public func restart() { unsafe muster_disk_restart(disk) }
  public func restorePower(seed: UInt64) { unsafe muster_disk_restore(disk, seed) }
}

/// The names that a store makes on a faulty disk.
struct FaultyNames: FileNames {
  /// The disk's name.
  let disk: String
  /// Whether a directory is synced when the store asks for it. Otherwise the disk does nothing
  /// then, for the tests that must notice it.
  let syncs: Bool

  func createFile(_ path: String) throws(StoreError) {
    try check(path, unsafe muster_disk_create_file(muster_disk_named(disk), path))
  }

  func createDirectory(_ path: String) throws(StoreError) {
    try check(path, unsafe muster_disk_create_directory(muster_disk_named(disk), path))
  }

  func syncDirectory(_ path: String) throws(StoreError) {
    if syncs { try check(path, unsafe muster_disk_sync_directory(muster_disk_named(disk), path)) }
  }

  private func check(_ path: String, _ fault: Int32) throws(StoreError) {
    switch fault {
    case 0: break
    case 2: throw .full
    default: throw .outcomeUnknown("\(path): the disk has failed")
    }
  }
}
