import ContextCore
import Domain
import LeaderboardCore
import Operations
import RequestCore
import Wire

/// The seed of one simulated deployment, its size and its kind.
package struct SimulationOptions: Sendable {
  package var seed: UInt64
  /// Processes of each service.
  package var partitions = 1
  package var players = 5
  /// How many things the clients set out to do.
  package var steps = 250
  package var canary: Canary?
  /// Whether most calls are about a few leaderboards, where the clients meet.
  package var isCompetition: Bool
  /// Clients are mostly in matches.
  package var isMeeting: Bool
  /// Clients are mostly in groups, turn-based games, queues and matches of more than two.
  package var isGathering: Bool
  /// Clients are mostly about requests, friends and who they are.
  package var isSociety: Bool
  /// What most calls of a gathering are about.
  var topic: Topic { Topic(rawValue: Int(seed / 4 % 4)) ?? .groups }
  /// Now and then a player causes more events for another than may be unread.
  var hasFloods: Bool { seed.isMultiple(of: 7) && !isSociety }
  /// Places in groups, and players of the matches there: in every third gathering so many that
  /// matches of eight come about, in every fifteenth as many as a match may have.
  var groupSizeMax: Int {
    seed % 15 == 13 ? ContextLimits.matchPlayersMax : seed % 3 == 1 ? 8 : 5
  }
  /// Groups and matches of more than two need more players.
  var playerCount: Int {
    isGathering ? max(players, groupSizeMax == 5 ? 7 : groupSizeMax + 1) : players
  }
  /// Settings of the services that differ from their defaults, each in its unit.
  ///
  /// The model of streams knows of no age: months pass here, in which nothing unread may go.
  var settings: [NumberSetting: Int] = [.challengeLifetimeMin: 0, .streamEventLifetime: 3_650]
  /// Every fifth seed remembers few answers, so that their bounds are met.
  var answersMax: Int { seed.isMultiple(of: 5) ? 4 : WireLimits.answersMax }
  /// How many answers a service remembers, and for how long: a week, since clocks leap by hours and
  /// days while calls are repeated.
  var answers: AnswerBounds {
    var bounds = AnswerBounds()
    bounds.perInstanceMax = answersMax
    // Clients acknowledge their answers: few are left of each instance.
    if seed.isMultiple(of: 5) { bounds.perOwnerMax = 2 }
    bounds.endedMilliseconds = 7 * 24 * 3_600_000
    bounds.keptMilliseconds = canary == .shortWindows ? 1_000 : bounds.endedMilliseconds
    return bounds
  }

  /// Of four seeds one is a competition, one a meeting and one a gathering, of twelve one is a
  /// society; every third one has short lifetimes. In most seeds a session begins with few of the
  /// missed events. Every seventh, of all these kinds, has floods of events, and little room for
  /// them.
  ///
  /// - Parameter isSociety: true for a seed that is of no other kind.
  package init(seed: UInt64, isSociety: Bool = false) {
    self.seed = seed
    self.isSociety = isSociety || seed % 12 == 5
    isCompetition = !isSociety && seed.isMultiple(of: 2)
    isMeeting = !isSociety && seed % 4 == 3
    isGathering = !isSociety && seed % 4 == 2
    if seed.isMultiple(of: 3) {
      settings.merge([.requestLifetime: 7, .runTicketLifetime: 24, .matchGrace: 2]) { $1 }
    }
    if !seed.isMultiple(of: 5) { settings[.streamReplayMax] = 2 }
    if hasFloods {
      settings.merge(
        [.streamEventsPerSender: 10, .streamEventsMax: 24, .streamEventsKept: 4]) { $1 }
    }
  }

  /// The settings of a service's processes: those that the options change, the others by default.
  func settings(of core: any ServiceCore.Type) -> SettingValues {
    values(of: core, canary?.settings ?? [:])
  }

  /// The settings that the models go by.
  func promises(of core: any ServiceCore.Type) -> SettingValues { values(of: core, [:]) }

  private func values(of core: any ServiceCore.Type, _ spoiled: [NumberSetting: Int])
    -> SettingValues
  {
    let declared = Set(Engine.settings(of: core))
    var all = settings
    if isGathering { all.merge(Self.gatheringSettings) { one, _ in one } }
    if isSociety { all.merge(Self.societySettings) { $1 } }
    if isSociety && seed / 12 % 4 == 0 { all[.streamDeviceLag] = Self.shortLag }
    all.merge(spoiled) { $1 }
    return SettingValues(of: core, all.filter { declared.contains($0.key) })
  }

  /// So short that an invitation and the ticket after it end within a seed, and a match that was
  /// found is not waited for longer; so many that requests do not run out.
  private static let gatheringSettings: [NumberSetting: Int] = [
    .matchInviteLifetime: 10, .matchJoin: 5, .contextRequestBurst: 1_000,
  ]

  /// So short that requests and tokens expire between two rounds, and none of them just when it is
  /// looked at: no sum of `societyLeaps` is near one of these. So little room that lists are full.
  private static let societySettings: [NumberSetting: Int] = [
    .requestLifetime: 7, .inviteTokenLifetime: 5, .inboxMax: 6, .inboxPerSender: 3,
    .streamEventLifetime: 9, .streamEventsKept: 4,
  ]
  /// So far behind is nobody who is there and acknowledges.
  private static let shortLag = 60
  /// Where players talk so much that what was read is removed, in every second society. In every
  /// fourth, not much is kept for devices that are away.
  var isChatty: Bool { seed / 12 % 2 == 0 }
  /// Whether players are erased, in every third society.
  package var hasErasures: Bool { isSociety && (seed + seed / 12) % 3 == 2 }
  /// Whether players are blocked as their processes die, in every third society.
  package var hasLateBlocks: Bool { isSociety && (seed + seed / 12) % 3 == 0 }
  /// How long a society rests between two rounds, in milliseconds.
  static let societyLeaps: [Int64] = [0, 50, 90, 250].map { $0 * 3_600_000 }
}

/// What the calls of a gathering are about.
enum Topic: Int {
  case groups, turns, tickets, matches
}

/// The figures of a simulation that kept all promises.
package struct SimulationReport: Sendable {
  package var seed: UInt64 = 0
  package var events = 0
  package var calls = 0
  package var refusals = 0
  package var repeats = 0
  package var effects = 0
  /// Sessions that were begun or resumed.
  package var sessions = 0
  /// Session tokens that were renewed.
  package var renewals = 0
  package var clientDeaths = 0
  package var crashes = 0
  package var cuts = 0
  package var jumps = 0
  package var streamEvents = 0
  package var completedChallenges = 0
  /// The challenges among them that are to earn an achievement.
  package var earnedChallenges = 0
  /// Calls whose clients were told of a refusal, although another transmission took effect: a
  /// service does not remember refusals.
  package var lateEffects = 0
  package var happenings = Happenings()
  /// The hash of all batches in the order in which they were written. Equal runs have equal hashes.
  package var digest: UInt64 = 0

  package init() {}
}

/// A broken promise, with what is needed to see it again.
package struct Violation: Error, CustomStringConvertible {
  package var description: String
}
