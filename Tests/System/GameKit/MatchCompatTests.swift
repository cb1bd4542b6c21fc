import Stack
import Testing

extension System {
  /// Matches, their matchmaker and invitations by GameKit's interface, against real processes. Each
  /// test has a process of its own, because the library has one local player.
  @Suite struct MatchCompat {
    @Test("3.1 3.2 3.3 3.4 3.5 3.6 a match is found, played, left and played again")
    func matches() async {
      await #expect(processExitsWith: .success) { try await MatchCompat.play() }
    }

    @Test("2.9 3.2 3.6 invitations to matches, by whoever invites, and nobody who blocks")
    func invitations() async {
      await #expect(processExitsWith: .success) { try await MatchCompat.invite() }
    }

    @Test("3.3 3.5 3.7 3.9 a delegate is told once, over cut connections and a killed gateway")
    func once() async {
      await #expect(processExitsWith: .success) { try await MatchCompat.playOverFaults() }
    }

    @Test("1.9 3.2 3.3 a delegate is told once of dialogs that are closed or never answered")
    func unanswered() async {
      await #expect(processExitsWith: .success) { try await MatchCompat.playUnanswered() }
    }
  }
}
