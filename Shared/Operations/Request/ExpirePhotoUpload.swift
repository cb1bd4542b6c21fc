public import Wire

/// A timer's: forgets the pieces of a photo that was not uploaded to its end.
///
/// Cost: one row, and the removal of no more than eight cold ones.
public struct ExpirePhotoUpload: Operation {
  public static let opcode = Opcode(.request, 0x85)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var size = PhotoSize()
  public init() {}
  public init(_ size: PhotoSize) { self.size = size }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("size", &size)
  }
}
