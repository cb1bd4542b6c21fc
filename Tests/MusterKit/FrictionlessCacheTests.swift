import MusterKit
import TestKit
import Testing

@Suite struct FrictionlessCacheTests {
  private let one = PlayerID(high: 1, low: 1)
  private let other = PlayerID(high: 1, low: 2)
  private let me = PlayerID(high: 9, low: 1)

  private func reply(_ held: [PlayerID], given: [PlayerID] = [], cursor: String = "")
    -> ListConsents.Reply
  {
    var reply = ListConsents.Reply()
    reply.consents = (held + given).map { player in
      var consent = Consent()
      consent.player = player
      (consent.isHeld, consent.isGiven) = (held.contains(player), given.contains(player))
      return consent
    }
    reply.cursor = cursor
    return reply
  }

  private func some(_ read: FrictionlessCache.Read?) throws -> FrictionlessCache.Read {
    try #require(read)
  }

  private func cache(with held: [PlayerID]) throws -> FrictionlessCache {
    var cache = FrictionlessCache()
    _ = cache.want()
    let read = try some(cache.began(me))
    let next = cache.took(reply(held), of: read)
    #expect(next == nil && cache.recipients == Set(held))
    return cache
  }

  @Test("2.6 nothing is asked before somebody wants to know, and an unread cache allows nobody")
  func unwanted() {
    var cache = FrictionlessCache()
    let reads = [cache.began(me), cache.changed()]
    #expect(reads == [nil, nil] && cache.recipients == nil)
    #expect(!cache.recipients.allows([one.description]))
    let wanted = [cache.want(), cache.want()]
    #expect(wanted.map { $0?.cursor } == ["", nil])
  }

  @Test("2.6 a read of several pages replaces what was known when it is whole")
  func replaced() throws {
    var cache = try cache(with: [one])
    let first = try some(cache.changed())
    let second = try some(cache.took(reply([other], cursor: "x"), of: first))
    #expect(second.cursor == "x" && cache.recipients == [one], "not merged with a part")
    let third = cache.took(reply([me], given: [one]), of: second)
    #expect(third == nil && cache.recipients == [other, me])
  }

  @Test("2.6 what is known is kept when reading fails, and read again at the next change")
  func kept() throws {
    var cache = try cache(with: [one])
    let read = try some(cache.changed())
    let failed = cache.failed(read)
    #expect(failed == nil && cache.recipients == [one])
    let resumed = try some(cache.began(me))
    #expect(cache.recipients == [one], "the same player's session was resumed")
    let old = cache.took(reply([]), of: read)
    #expect(old == nil && cache.recipients == [one], "an old answer")
    _ = cache.took(reply([]), of: resumed)
    #expect(cache.recipients == [])
  }

  @Test("2.6 a change during a read makes one more read after it")
  func changedMeanwhile() throws {
    var cache = try cache(with: [])
    let read = try some(cache.changed())
    let meanwhile = [cache.changed(), cache.changed()]
    #expect(meanwhile == [nil, nil])
    let again = try some(cache.took(reply([one]), of: read))
    #expect(again.number > read.number)
    let last = cache.took(reply([other]), of: again)
    #expect(last == nil && cache.recipients == [other])
  }

  @Test("2.6 a change during a read that fails is read once more, and a failure alone is not")
  func changedBeforeFailure() throws {
    var cache = try cache(with: [one])
    let read = try some(cache.changed())
    let meanwhile = cache.changed()
    #expect(meanwhile == nil)
    let again = try some(cache.failed(read))
    #expect(again.number > read.number && cache.recipients == [one])
    let late = cache.failed(read)
    #expect(late == nil, "an old answer")
    let end = cache.failed(again)
    #expect(end == nil && cache.recipients == [one])
    let next = try some(cache.changed())
    _ = cache.took(reply([other]), of: next)
    #expect(cache.recipients == [other])
  }

  @Test("2.6 another player begins with nothing, and so does whoever signs in again")
  func players() throws {
    var cache = try cache(with: [one])
    _ = cache.began(other)
    #expect(cache.recipients == nil)
    var again = try self.cache(with: [one])
    again.ended()
    let signedOut = again.changed()
    #expect(again.recipients == nil && signedOut == nil)
    let signedIn = again.began(me)
    #expect(signedIn != nil)
  }

  @Test("2.6 every recipient must have agreed, and an empty list never counts")
  func allows() {
    let known: Set<PlayerID>? = [one, other]
    #expect(known.allows([one.description]) && known.allows([one.description, other.description]))
    #expect(!known.allows([]) && !known.allows([one.description, me.description]))
    #expect(!known.allows([one.description, "token"]))
  }
}
