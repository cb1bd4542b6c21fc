public import Wire

/// Sent by a player: removes the caller's photo of one size. It is harmless where there is none.
///
/// Errors: `invalidArgument` (size). Cost: one row, and the removal of no more than eight cold
/// ones.
public struct RemovePhoto: Operation {
  public static let opcode = Opcode(.request, 0x83)
  public typealias Reply = Empty
  public var size = PhotoSize()
  public init() {}
  public init(_ size: PhotoSize) { self.size = size }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("size", &size)
  }

  public var fault: Failure? {
    size.isKnown ? nil : PhotoRules.bad("size", "The size \(size) is not known.")
  }
}
