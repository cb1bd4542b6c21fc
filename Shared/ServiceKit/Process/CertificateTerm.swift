/// Until when a file of certificates is good.
public struct CertificateTerm: Sendable, Equatable {
  /// The setting that names the file.
  public var setting: String
  public var file: String
  /// Milliseconds since 1970.
  public var end: Int64

  /// A certificate that ends within so many days is to be renewed now.
  public static let renewalDays = 14
  static let dayMilliseconds: Int64 = 86_400_000

  /// Nil where there is no such certificate.
  public init?(_ setting: String, _ file: String, end: Int64?) {
    guard let end else { return nil }
    (self.setting, self.file, self.end) = (setting, file, end)
  }

  /// Whole days that are left; below 0 once it has ended.
  func days(at now: Int64) -> Int {
    let left = end - now
    return Int(left / Self.dayMilliseconds) - (left < 0 ? 1 : 0)
  }

  /// Whole seconds that are left; 0 once it has ended.
  func secondsLeft(at now: Int64) -> UInt64 { UInt64(max(0, end - now) / 1000) }

  enum State { case good, endsSoon, ended }

  func state(at now: Int64) -> State {
    if end <= now { return .ended }
    return end - now <= Int64(Self.renewalDays) * Self.dayMilliseconds ? .endsSoon : .good
  }

  /// As a line of the log has them.
  static func text(_ terms: [CertificateTerm], at now: Int64) -> String {
    terms.map { "\($0.setting) \($0.days(at: now)) days" }.joined(separator: ", ")
  }
}
