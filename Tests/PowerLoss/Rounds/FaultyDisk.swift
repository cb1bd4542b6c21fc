import CFaultyDisk

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
  public func restorePower(seed: UInt64) { unsafe muster_disk_restore(disk, seed) }
}
