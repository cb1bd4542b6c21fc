extension Finding {
  /// Says who does not tell something, as processes of other versions do not; nil where all do.
  ///
  /// - Parameters:
  ///   - count: how many were asked.
  ///   - all: what those together are called.
  static func untold(by silent: [String], of count: Int, all: String) -> String? {
    if silent.isEmpty { return nil }
    return "not told by \(silent.count == count ? all : silent.joined(separator: ", "))"
  }
}
