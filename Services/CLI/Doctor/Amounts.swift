/// Times and sizes in the words of `muster doctor`.
enum Amounts {
  static func time(milliseconds: UInt64) -> String {
    let seconds = milliseconds / 1000
    return switch seconds {
    case 0: "\(milliseconds) ms"
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  static func size(_ bytes: UInt64) -> String {
    var (amount, unit) = (bytes, 0)
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while amount >= 10_240, unit + 1 < units.count {
      amount /= 1024
      unit += 1
    }
    return "\(amount) \(units[unit])"
  }
}
