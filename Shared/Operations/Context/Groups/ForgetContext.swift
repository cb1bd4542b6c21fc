public import Wire

/// A timer's: removes a context that has been closed for long enough, so that it cannot be opened
/// again.
///
/// Cost: one context row, one effect.
public struct ForgetContext: Operation {
  public static let opcode = Opcode(.context, 0x2F)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  /// Of the context when it was closed.
  public var generation: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("generation", &generation)
  }
}
