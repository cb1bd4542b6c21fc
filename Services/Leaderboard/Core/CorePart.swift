import Domain

/// A part of the core: some tables, which it alone changes, and the handlers that are about them. It is
/// made with the parts that it may use; none uses one that is made after it.
protocol CorePart: AnyObject {
  func register(_ router: inout Router)
  func register(_ tables: inout Tables)
  /// Called once after all rows are there, and after the parts that this one uses.
  func loaded()
}

extension CorePart {
  func register(_ router: inout Router) {}
  func register(_ tables: inout Tables) {}
  func loaded() {}
}
