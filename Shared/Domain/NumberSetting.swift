/// A whole number that the operator of a deployment may change, declared beside the rule that it is
/// about: `extension NumberSetting { static let requestLifetime = ... }`.
///
/// Its flag, its `MUSTER_` variable, its line in a configuration file and its paragraph in `--help`
/// follow from the declaration.
public struct NumberSetting: Hashable, Sendable {
  public enum Unit: String, Sendable {
    case count, seconds, hours, days

    /// How many one of the unit makes: milliseconds of a time, and 1 of what is counted.
    var factor: Int64 {
      switch self {
      case .count: 1
      case .seconds: 1000
      case .hours: 3600 * 1000
      case .days: 24 * 3600 * 1000
      }
    }
  }

  /// Lower-case words with dashes. A time's name ends in its unit, as in `request-lifetime-days`.
  public let name: String
  public let unit: Unit
  /// The value when nobody sets one, in the unit.
  public let fallback: Int
  /// The least and the greatest value, in the unit. They keep a slip of the pen from doing harm.
  public let bounds: ClosedRange<Int>
  /// One sentence for whoever reads `--help`.
  public let help: String

  public init(
    _ name: String, _ unit: Unit, default fallback: Int, _ bounds: ClosedRange<Int>, _ help: String
  ) {
    precondition(bounds.contains(fallback), "the default of \(name) is out of its bounds")
    precondition(
      unit == .count || name.hasSuffix("-\(unit)"), "\(name) is a time and lacks its unit")
    self.name = name
    self.unit = unit
    self.fallback = fallback
    self.bounds = bounds
    self.help = help
  }
}

/// The values of a process's number settings, fixed from its start to its end.
public struct SettingValues: Sendable {
  /// By name; times in milliseconds.
  private var values: [String: Int64] = [:]

  /// The defaults of the declared settings, but for `changes`, each in its setting's unit.
  ///
  /// Two settings of one name are a mistake of ours and trap; so do a change of a setting that is
  /// not declared and one out of bounds. What an operator writes is checked before.
  public init(_ declared: [NumberSetting], _ changes: [NumberSetting: Int] = [:]) {
    for setting in declared {
      let value = changes[setting] ?? setting.fallback
      precondition(setting.bounds.contains(value), "\(setting.name) is out of bounds: \(value)")
      let old = values.updateValue(Int64(value) * setting.unit.factor, forKey: setting.name)
      precondition(old == nil, "two settings are called \(setting.name)")
    }
    for setting in changes.keys {
      precondition(values[setting.name] != nil, "no setting \(setting.name) is declared here")
    }
  }

  /// The value of a declared setting: milliseconds for a time, else the number.
  public subscript(setting: NumberSetting) -> Int64 {
    guard let value = values[setting.name] else {
      preconditionFailure("\(setting.name) is read, and not among the settings that are declared")
    }
    return value
  }
}
