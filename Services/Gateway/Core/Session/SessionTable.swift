/// The connected clients in dense places, found by the number of their session.
public struct SessionTable<Client: AnyObject> {
  @usableFromInline
  struct Place {
    @usableFromInline var client: Client?
    /// The next client's first number.
    var vacant: SessionNumber
  }

  @usableFromInline var places: [Place] = []
  private var free: [Int] = []
  public private(set) var count = 0

  public init() {}

  /// Gives a place to a client, which `make` builds with its number.
  public mutating func insert(_ make: (SessionNumber) -> Client) -> Client {
    count += 1
    let place = free.popLast() ?? places.count
    if place == places.count {
      places.append(Place(vacant: SessionNumber(place: place)))
    }
    let client = make(places[place].vacant)
    places[place].client = client
    return client
  }

  /// Takes back the place of the client whose last session had this number.
  public mutating func remove(_ last: SessionNumber) {
    precondition(places[last.place].client != nil, "a client is removed twice")
    count -= 1
    places[last.place] = Place(vacant: last.successor)
    free.append(last.place)
  }

  /// The client at the place of a session; whether it still has that session, only it knows.
  ///
  /// Inlinable: every event asks, and code for all types takes several times as long.
  @inlinable
  public subscript(place number: SessionNumber) -> Client? {
    number.place < places.count ? places[number.place].client : nil
  }

  /// Every client, in steps: those of at most `count` places from `start`.
  public func clients(from start: Int, count: Int) -> (clients: [Client], next: Int?) {
    let end = min(start + count, places.count)
    return (places[start..<end].compactMap(\.client), end < places.count ? end : nil)
  }
}
