/// A part of a core: some tables, which no other part changes, and the handlers that work on them.
/// It gets the parts that it may use when it is made, so that no two use each other. A part with
/// state of its own is a class; a part that only uses others and fixed settings is a structure.
public protocol CorePart {
  func register(_ router: inout Router)
  func register(_ tables: inout Tables)
  /// Called once when all rows are loaded, after the same call on the parts that this one uses. The
  /// transaction is for timers in memory: see `ServiceCore.loaded`.
  func loaded(_ transaction: inout Transaction)
}

extension CorePart {
  public func register(_ router: inout Router) {}
  public func register(_ tables: inout Tables) {}
  public func loaded(_ transaction: inout Transaction) {}
}
