/// Which players let this one send requests without a dialog, as the server has said last.
///
/// It is read when a session begins or is resumed, and whenever something has changed. A read that
/// succeeds replaces what was known; one that fails leaves it as it is. It never outlives the
/// player: another one begins with nothing.
package struct FrictionlessCache {
  /// One page to read, and the number of the whole read.
  package struct Read: Equatable {
    package var number: Int
    package var cursor = ""
  }

  /// Nil until the server has told it.
  package private(set) var recipients: Set<PlayerID>?
  private var isWanted = false
  private var player: PlayerID?
  /// What the pages of the read that is under way have told so far.
  private var page: Set<PlayerID>?
  /// Whether it has to be read once more after that.
  private var isStale = false
  private var number = 0

  package init() {}

  /// Somebody wants to know from now on.
  package mutating func want() -> Read? {
    if isWanted { return nil }
    isWanted = true
    return changed()
  }

  /// A session of a player has begun or was resumed.
  package mutating func began(_ player: PlayerID) -> Read? {
    if self.player != player { recipients = nil }
    self.player = player
    // What was asked over another connection may not be answered any more.
    page = nil
    return changed()
  }

  package mutating func ended() { (recipients, player, page, isStale) = (nil, nil, nil, false) }

  /// Something may be different from what was read, or is being read.
  package mutating func changed() -> Read? {
    guard isWanted, player != nil else { return nil }
    if page != nil {
      isStale = true
      return nil
    }
    (page, isStale) = ([], false)
    number += 1
    return Read(number: number)
  }

  /// Takes a page. Returns the next read.
  package mutating func took(_ reply: ListConsents.Reply, of read: Read) -> Read? {
    guard read.number == number, var page else { return nil }
    page.formUnion(reply.consents.lazy.filter(\.isHeld).map(\.player))
    if !reply.cursor.isEmpty {
      self.page = page
      return Read(number: number, cursor: reply.cursor)
    }
    recipients = page
    self.page = nil
    return isStale ? changed() : nil
  }

  /// A read has failed. What is known stays; it is read again at the next change or session, and at
  /// once where something has changed meanwhile.
  package mutating func failed(_ read: Read) -> Read? {
    guard read.number == number, page != nil else { return nil }
    page = nil
    return isStale ? changed() : nil
  }
}
