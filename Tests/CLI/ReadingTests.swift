import MusterKit
import Testing

@testable import muster

@Suite struct ReadingTests {
  private let ada = PlayerID(high: 1, low: 1)
  private let ben = PlayerID(high: 1, low: 2)

  @Test("the players of a reply are found however deep, in lists and in what may be left out")
  func players() {
    var page = ChallengePage()
    var challenge = Challenge()
    (challenge.issuer, challenge.receiver) = (ada, ben)
    page.challenges = [challenge]
    var collector = PlayerCollector()
    collector.visit(page)
    #expect(collector.players == [ada, ben] && collector.names.isEmpty)

    var scores = ScorePage()
    scores.localEntry = LeaderboardEntry()
    scores.localEntry?.player = ben
    collector = PlayerCollector()
    collector.visit(scores)
    #expect(collector.players == [ben])
  }

  @Test("a name that stands beside its player in a reply is not asked for")
  func names() {
    var (own, other) = (Friend(), Friend())
    (own.player, own.displayName, other.player) = (ada, "Ada", ben)
    var reply = ListFriends.Reply()
    reply.friends = [own, other]
    var collector = PlayerCollector()
    collector.visit(reply)
    #expect(collector.names == [ada: "Ada"] && collector.players == [ada, ben])
  }

  @Test("names that cannot be asked for are missing, and nothing else is")
  func noNames() async {
    let client = MusterClient(
      MusterConfiguration(host: "127.0.0.1", port: 1, game: "demo", trust: .system))
    var scores = ScorePage()
    scores.entries = [LeaderboardEntry()]
    scores.entries[0].player = ben
    let reading = await PlayerNames(client).reading(of: scores)
    #expect(reading.who(ben) == ben.description)
    await client.close()
  }

  @Test("a sentence says you to the reader, the name of others, and the id where no name is known")
  func who() {
    let reading = Reading(namesAskedFor: [ben: "Ben"], reader: ada)
    #expect(reading.who(ada) == "you" && reading.whose(ada) == "your")
    #expect(reading.who(ben) == "Ben" && reading.whose(ben) == "Ben's")
    let stranger = PlayerID(high: 1, low: 3)
    #expect(reading.who([ada, ben, stranger]) == "you, Ben, \(stranger)")
  }
}
