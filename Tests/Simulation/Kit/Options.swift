import ContextCore
import Domain
import LeaderboardCore
import RequestCore

/// What one simulated deployment is like.
package struct SimulationOptions: Sendable {
  package var seed: UInt64
  /// Processes of each service.
  package var partitions = 1
  package var players = 5
  /// Things that clients set out to do.
  package var steps = 250
  package var canary: Canary?
  /// Clients are mostly at the leaderboards, on a few boards where they meet.
  package var isCompetition: Bool
  /// Clients are mostly in matches.
  package var isMeeting: Bool
  /// Settings of the services that differ from their defaults, each in its unit.
  var settings: [NumberSetting: Int] = [:]

  /// Every other seed is a competition, and every fourth a meeting; every third one has short
  /// lifetimes.
  package init(seed: UInt64) {
    self.seed = seed
    isCompetition = seed.isMultiple(of: 2)
    isMeeting = seed % 4 == 3
    if seed.isMultiple(of: 3) {
      settings = [.requestLifetime: 7, .runTicketLifetime: 24, .matchGrace: 2]
    }
  }
}

/// What a simulation did.
package struct SimulationReport: Sendable {
  package var seed: UInt64 = 0
  package var events = 0
  package var calls = 0
  package var refusals = 0
  package var repeats = 0
  package var effects = 0
  /// Begun or resumed.
  package var sessions = 0
  /// Tokens that clients were given anew.
  package var renewals = 0
  package var clientDeaths = 0
  package var crashes = 0
  package var cuts = 0
  package var jumps = 0
  package var streamEvents = 0
  package var completedChallenges = 0
  /// Of those, the ones to earn an achievement.
  package var earnedChallenges = 0
  /// Calls that a client was told were refused, and that took effect by another sending: refusals
  /// are not remembered.
  package var lateEffects = 0
  package var happenings = Happenings()
  /// Of all batches in the order in which they were written: equal runs have equal ones.
  package var digest: UInt64 = 0

  package init() {}
}

/// A broken promise, with what is needed to see it again.
package struct Violation: Error, CustomStringConvertible {
  package var description: String
}
