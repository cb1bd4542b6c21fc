import Operations
import Testing
import Wire

@testable import MusterKit

struct ChallengeBannerTests {
  private func event<E: Event>(_ event: E) -> PlayerEvent {
    var stream = StreamEvent()
    stream.kind = E.opcode.rawValue
    stream.body = Bytes(event.encoded)
    return PlayerEvent(stream)
  }

  private func challenge(_ number: UInt64) -> Challenge {
    var challenge = Challenge()
    challenge.id = ChallengeID(high: 1, low: number)
    return challenge
  }

  private func received(_ number: UInt64) -> PlayerEvent {
    event(ChallengeReceived(challenge(number)))
  }

  @Test("6.8 received, locally and remotely completed: each asked once, yes by default")
  func kinds() {
    var banners = ChallengeBanners()
    var completed = ChallengeCompleted()
    completed.challenge = challenge(1)
    completed.isLocal = true
    let local = event(completed)
    completed.isLocal = false
    let events = [received(1), local, event(completed)]
    var asked: [ChallengeNotice.Kind] = []
    for event in events {
      let told = banners.heard(event) {
        asked.append($0.kind)
        return false
      }
      #expect(told?.showsBanner == false && told?.notice.challenge.id == challenge(1).id)
    }
    #expect(asked == [.received, .locallyCompleted, .remotelyCompleted])
    for event in events { #expect(banners.heard(event)?.showsBanner == true) }
    let other = banners.heard(event(FriendAccepted())) { _ in
      Issue.record("a friend is no challenge")
      return true
    }
    #expect(other == nil)
  }

  @Test("6.8 a suppressed banner cannot be selected; a shown one can, once, until it has ended")
  func selecting() {
    var banners = ChallengeBanners()
    _ = banners.heard(received(1)) { _ in false }
    for number in 2...5 as ClosedRange<UInt64> { _ = banners.heard(received(number)) }
    #expect(banners.selected(challenge(1).id) == nil)
    #expect(banners.selected(challenge(2).id) == challenge(2))
    #expect(banners.selected(challenge(2).id) == nil)
    var completed = ChallengeCompleted()
    completed.challenge = challenge(3)
    completed.isLocal = true
    _ = banners.heard(event(completed))
    #expect(banners.heard(event(ChallengeExpired(challenge(4)))) == nil)
    #expect(banners.heard(event(ChallengeWithdrawn(challenge(5)))) == nil)
    for number in 3...5 as ClosedRange<UInt64> {
      #expect(banners.selected(challenge(number).id) == nil)
    }
  }

  @Test("6.8 an app launched for a challenge gets it right after authentication, once")
  func launched() {
    var banners = ChallengeBanners(launchedFor: challenge(2).id)
    #expect(banners.authenticated([challenge(1)]) == nil)
    #expect(banners.authenticated([challenge(1), challenge(2)]) == challenge(2))
    #expect(banners.authenticated([challenge(1), challenge(2)]) == nil)
    var others = ChallengeBanners()
    #expect(others.authenticated([challenge(1)]) == nil)
  }

  @Test("6.8 banners that nobody selects are bounded")
  func bounded() {
    var banners = ChallengeBanners()
    let count = UInt64(ChallengeBanners.selectableMax) + 1
    for number in 1...count { _ = banners.heard(received(number)) }
    #expect(banners.selected(challenge(1).id) == nil)
    #expect(banners.selected(challenge(2).id) == challenge(2))
  }
}
