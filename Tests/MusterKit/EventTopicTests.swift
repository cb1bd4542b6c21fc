import MusterKit
import Operations
import TestKit
import Testing

@testable import MusterKit

@Suite("Topics of events", .endsAtLast)
struct EventTopicTests {
  @Test("2.8 every event of the stream is of exactly one topic")
  func whole() {
    for type in StreamEvents.all {
      let topics = EventTopic.all.filter { $0.kinds.contains(type.opcode) }
      #expect(topics.count == 1, "\(type) is of \(topics.map(\.name))")
    }
    #expect(Set(EventTopic.all.map(\.name)).count == EventTopic.all.count)
  }

  @Test("2.8 who follows a topic or a type hears of nothing else, in order")
  func followed() async throws {
    try await withWorld { world in
      // By itself the client would acknowledge what the first two have dealt with, before the last
      // two ask for it.
      let client = try await world.signedIn { $0.acknowledgement = .manual }
      try await world.server { server in
        server.append(ClientEventTests.invitation(1))
        server.append(RequestReceived())
        server.append(ClientEventTests.invitation(2))
        server.append(ChallengeReceived())
      }
      var friends = client.events(about: .friends).makeAsyncIterator()
      var invitations = client.events(of: FriendInvitation.self).makeAsyncIterator()
      var requests = client.events(about: .requests).makeAsyncIterator()
      var challenges = client.events(of: ChallengeReceived.self).makeAsyncIterator()
      for number in 1...2 {
        let event = await friends.next(isolation: nil)
        #expect(event?.decode(FriendInvitation.self)?.displayName == "\(number)")
        #expect(await invitations.next(isolation: nil)?.displayName == "\(number)")
      }
      #expect(await requests.next(isolation: nil)?.kind == RequestReceived.opcode)
      #expect(await challenges.next(isolation: nil) != nil)
      await client.close()
      #expect(await friends.next(isolation: nil) == nil)
    }
  }

  @Test("hints are told by topic and by type")
  func hints() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var turns = client.hints(about: .turns).makeAsyncIterator()
      var mine = client.hints(of: YourTurn.self).makeAsyncIterator()
      var (other, turn) = (HintEvent(), HintEvent())
      (other.kind, other.body) = (PresenceChanged.opcode.rawValue, Bytes(PresenceChanged().encoded))
      (turn.kind, turn.body) = (YourTurn.opcode.rawValue, Bytes(YourTurn().encoded))
      let told = [other, turn]
      try await world.server { server in
        for session in server.sessions { for hint in told { session.push(hint) } }
      }
      #expect(await turns.next(isolation: nil)?.kind == YourTurn.opcode)
      #expect(await mine.next(isolation: nil) == YourTurn())
      await client.close()
    }
  }
}
