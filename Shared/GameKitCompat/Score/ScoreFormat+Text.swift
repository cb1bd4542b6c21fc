internal import MusterKit

extension ScoreFormat {
  /// Returns a value as the board shows it, in digits that every language reads. A format that this
  /// version does not know is that of a whole number.
  func text(_ value: Int64) -> String {
    let (sign, size) = (value < 0 ? "-" : "", value.magnitude)
    return switch self {
    case .oneDecimal: sign + Self.decimal(size, places: 1)
    case .twoDecimals: sign + Self.decimal(size, places: 2)
    case .threeDecimals: sign + Self.decimal(size, places: 3)
    case .minutes: sign + "\(size / 60):" + Self.padded(size % 60, 2)
    case .seconds: sign + Self.clock(size)
    case .hundredths: sign + Self.clock(size / 100) + "." + Self.padded(size % 100, 2)
    default: String(value)
    }
  }

  private static func decimal(_ size: UInt64, places: Int) -> String {
    let unit = (0..<places).reduce(UInt64(1)) { unit, _ in unit * 10 }
    return "\(size / unit)." + padded(size % unit, places)
  }

  /// Minutes and seconds, with hours in front where there are any.
  private static func clock(_ seconds: UInt64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = ":" + padded(seconds % 60, 2)
    return hours == 0 ? "\(minutes)" + rest : "\(hours):" + padded(minutes, 2) + rest
  }

  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
