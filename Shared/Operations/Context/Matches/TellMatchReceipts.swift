public import Wire

/// A timer's, a moment after receivers of the key's match have acknowledged data: tells each sender
/// of all of them at once.
///
/// Cost: one push for each sender.
public struct TellMatchReceipts: Operation {
  public static let opcode = Opcode(.context, 0x38)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public static var isReadOnly: Bool { true }
  public static var isLive: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
