/// The gateway's number of a client's session, which services know the client by: the place of the
/// connection in the gateway's table, and how many sessions that place has had.
///
/// A number is never used again, so that what belongs to a session that is over reaches nobody
/// rather than whoever signs in next on the connection. 0 means "no client".
public struct SessionNumber: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The first session of a place.
  public init(place: Int) { rawValue = 1 << 32 | UInt64(place) }

  @inlinable
  public var place: Int { Int(rawValue & 0xffff_ffff) }

  /// The next session of the same place.
  public var successor: SessionNumber {
    let next = SessionNumber(rawValue: rawValue &+ (1 << 32))
    // After four thousand million sessions the count begins anew, at 1.
    return next.rawValue >> 32 == 0 ? SessionNumber(place: place) : next
  }
}
