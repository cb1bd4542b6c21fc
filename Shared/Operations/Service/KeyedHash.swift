public import Wire

/// A hash of a device's secret, made by a gateway. The secret itself never reaches a store.
public struct KeyedHash: Message, Hashable {
  /// The number of the gateway's key that it was made with; nobody else has the key.
  public var keyNumber: UInt16 = 0
  public var hash = Bytes()
  public init() {}
  public init(keyNumber: UInt16, hash: Bytes) {
    self.keyNumber = keyNumber
    self.hash = hash
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("keyNumber", &keyNumber)
    visit.field("hash", &hash)
  }
}
