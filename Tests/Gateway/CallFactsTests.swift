import GatewayCore
import Operations
import Testing
import Wire

/// What a gateway fetches for a call, from whom, and what it attaches.
@Suite struct CallFactsTests {
  private let caller = Principal(
    kind: .player, game: "demo", player: PlayerID(high: 1, low: 2), device: DeviceID())
  private let others = [PlayerID(high: 3, low: 4), PlayerID(high: 5, low: 6)]
  private let context = ContextID(high: 7, low: 8)

  private func facts(_ needs: Needs) -> CallFacts { CallFacts(needs, of: caller) }

  private func refusal(_ context: ContextID?) -> Failure {
    var demand = FactDemand()
    demand.participantsOf = context
    return Failure(.factRequired, "", detail: Bytes(demand.encoded))
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch { return error as? Failure }
  }

  @Test("4.3 declared facts are fetched one after the other, from the keys that own them")
  func declared() throws {
    var facts = facts([.friends, .achievementRules, .achievements])
    let friends = try #require(facts.next)
    #expect(friends.opcode == FetchFriends.opcode)
    #expect(friends.key == RoutingKey(reinterpreting: caller.player))
    #expect(friends.body == FetchFriends(of: caller.player).encoded)
    var reply = FetchFriends.Reply()
    reply.friends = others
    try facts.take(.success(reply.encoded), of: friends)
    #expect(facts.facts.friends == others)

    let rules = try #require(facts.next)
    #expect(rules.opcode == FetchAchievementRules.opcode)
    #expect(rules.key == RoutingKey(game: "demo"))
    var ruling = FetchAchievementRules.Reply()
    ruling.rules = [AchievementRule()]
    try facts.take(.success(ruling.encoded), of: rules)
    #expect(facts.facts.achievementRules == ruling.rules)

    let achievements = try #require(facts.next)
    #expect(achievements.opcode == FetchReportedAchievements.opcode)
    #expect(achievements.key == RoutingKey(reinterpreting: caller.player))
    try facts.take(
      .success(FetchReportedAchievements.Reply().encoded), of: achievements)
    #expect(facts.next == nil)
    #expect(facts.facts.friends == others, "what came first is still there")
  }

  @Test("4.3 a call that needs nothing fetches nothing; what is not known here is left out")
  func nothing() {
    #expect(facts([]).next == nil && facts([]).facts == Facts())
    #expect(facts(Needs(rawValue: 1 << 7)).next == nil)
  }

  @Test("4.3 a service that asks for a context's players gets them, beside what was declared")
  func demanded() throws {
    var facts = facts(.friends)
    var reply = FetchFriends.Reply()
    reply.friends = others
    try facts.take(.success(reply.encoded), of: #require(facts.next))
    let fetch = try facts.demanded(by: refusal(context))
    #expect(fetch.opcode == FetchParticipants.opcode && fetch.opcode.service == .context)
    #expect(fetch.key == RoutingKey(reinterpreting: context))
    #expect(fetch.body == FetchParticipants(of: context).encoded)
    var participants = FetchParticipants.Reply()
    participants.players = [caller.player] + others
    try facts.take(.success(participants.encoded), of: fetch)
    #expect(
      facts.facts.participants
        == ContextParticipants(context: context, players: participants.players))
    #expect(facts.facts.friends == others && facts.next == nil)
  }

  @Test("4.3 7.2 a fact that cannot be had fails the call with the owner's own error")
  func errors() throws {
    var facts = facts(.friends)
    let friends = try #require(facts.next)
    let participants = try facts.demanded(by: refusal(context))
    let failures = [
      Failure(.notFound, argument: "context", "You are in no context with this id."),
      Failure(.unavailable, "The context service cannot be reached."),
      Failure(.deadlineExceeded, "Too late."),
    ]
    for expected in failures {
      for fetch in [friends, participants] {
        #expect(failure { try facts.take(.failure(expected), of: fetch) } == expected)
      }
    }
    let unreadable = failure { try facts.take(.success([1]), of: participants) }
    #expect(unreadable?.code == .malformed)
    #expect(facts.facts == Facts() && facts.next != nil, "nothing was attached")
  }

  @Test("4.3 only a demand for a fact is one, and a service that never has enough is given up on")
  func limits() throws {
    var facts = facts([])
    let other = Failure(.notFound, argument: "board", "There is no such board.")
    #expect(failure { _ = try facts.demanded(by: other) } == other)
    for number in 1...3 {
      _ = try facts.demanded(by: refusal(ContextID(high: 0, low: UInt64(number))))
    }
    #expect(failure { _ = try facts.demanded(by: refusal(context)) }?.code == .unavailable)
    // A service that is newer than this gateway may ask for what is not known here.
    var fresh = self.facts([])
    #expect(failure { _ = try fresh.demanded(by: refusal(nil)) }?.code == .unavailable)
    let garbled = Failure(.factRequired, "", detail: Bytes([9]))
    #expect(failure { _ = try fresh.demanded(by: garbled) }?.code == .unavailable)
  }
}
