public import Wire

/// How often clients were answered with a failure, by the service that the call was for and the
/// code, and how often with `backpressure` by its cause.
public struct FailureCounts: Sendable {
  /// By service, the last one for what is of no service, and by code.
  private var counts = [UInt64](
    repeating: 0, count: (Service.allCases.count + 1) * FailureCode.placeCount)
  private var causes = [UInt64](repeating: 0, count: BackpressureCause.allCases.count)

  public init() {}

  mutating func count(_ failure: Failure, of service: Service?) {
    counts[Self.row(service) * FailureCode.placeCount + failure.code.place] += 1
    if let cause = failure.backpressureCause, let index = Self.index[cause] { causes[index] += 1 }
  }

  private static let index = Dictionary(
    uniqueKeysWithValues: zip(BackpressureCause.allCases, BackpressureCause.allCases.indices))

  private static func row(_ service: Service?) -> Int {
    service.map { Int($0.rawValue) } ?? Service.allCases.count
  }

  /// Those that there were: the service's name, or `none`, and the code. Of codes that only a newer
  /// version knows, one stands for all.
  public var all: [(service: String, code: FailureCode, count: UInt64)] {
    (Service.allCases.map { Optional($0) } + [nil]).flatMap { service in
      (0..<FailureCode.placeCount).compactMap { code in
        let count = counts[Self.row(service) * FailureCode.placeCount + code]
        if count == 0 { return nil }
        return (service?.name ?? "none", FailureCode(rawValue: UInt8(code)), count)
      }
    }
  }

  /// In the order of the causes.
  public var causeCounts: [UInt64] { causes }
}
