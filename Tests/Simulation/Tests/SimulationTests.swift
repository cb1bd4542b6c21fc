import Simulation
import TestKit
import Testing

/// `muster-simulate --seeds 1 --first SEED --steps 300 --partitions P` runs a seed of the first
/// again.
@Suite(
  "2.7 2.8 2.9 2.11 3.3 3.4 3.5 3.7 3.9 7.1 7.3 a whole deployment keeps its promises", .inTurn)
struct SimulationTests {
  /// One and four take turns, four seeds each, so that each topic of gatherings is played on both.
  private static func partitions(of seed: UInt64) -> Int { seed / 4 % 2 == 0 ? 1 : 4 }

  @Test(
    "1.8 1.9 1.11 3.2 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.4 6.2 6.3 6.5 6.6 6.7 kept through crashes",
    arguments: 1...12)
  func keepsPromises(seed: UInt64) throws {
    var options = SimulationOptions(seed: seed)
    options.partitions = Self.partitions(of: seed)
    // In fewer, a seed may tell hardly anybody of anything.
    options.steps = 300
    let report = try Simulation.run(options)
    if options.isMeeting {
      // Friends have to find each other first, and some leave before they have said anything.
      let counts = report.happenings.counts
      #expect(counts[.reliableMessages] != nil || counts[.matchesEndedByLeaving] != nil)
    } else {
      #expect(report.calls > 100)
      #expect(report.streamEvents > 20)
    }
  }

  @Test("the trouble of a few seeds is of every kind")
  func trouble() throws {
    var reports: [SimulationReport] = []
    for seed in UInt64(101)...108 {
      reports.append(try Simulation.run(SimulationOptions(seed: seed)))
    }
    #expect(reports.contains { $0.crashes > 0 })
    #expect(reports.contains { $0.cuts > 0 })
    #expect(reports.contains { $0.jumps > 0 })
    #expect(reports.contains { $0.repeats > 0 })
    #expect(reports.contains { $0.renewals > 0 })
    #expect(reports.contains { $0.clientDeaths > 0 })
    #expect(reports.contains { $0.completedChallenges > $0.earnedChallenges })
    #expect(reports.contains { $0.earnedChallenges > 0 })
    var happenings = Happenings()
    for report in reports { happenings.add(report.happenings) }
    // All of them happen in five hundred seeds, which `muster-simulate` sees to.
    let often: [Happening] = [
      .improvedScores, .attemptsOutOfToday, .scoresRefusedInGaps, .challengesReceived, .reports,
    ]
    #expect(Set(often).isDisjoint(with: happenings.missing))
  }

  /// Seed 5 is a society, and seed 7 of neither kind; the others are gatherings, each about another
  /// topic.
  @Test(
    "a seed gives the same batches every time", arguments: [5, 7, 2, 6, 10, 14] as [UInt64])
  func isRepeatable(seed: UInt64) throws {
    var options = SimulationOptions(seed: seed)
    options.partitions = 4
    let first = try Simulation.run(options)
    let second = try Simulation.run(options)
    #expect(first.digest == second.digest)
    #expect(first.events == second.events)
    options.seed += 48
    #expect(try Simulation.run(options).digest != first.digest)
  }

  /// Four seeds in a row are mostly about groups, turn-based games, queues or matches of several.
  @Test("1.8 1.9 1.11 2.9 3.2 3.4 3.7 gatherings keep their promises, and cause what they are to")
  func gatherings() throws {
    var happenings = Happenings()
    for seed in UInt64(1)...16 {
      var options = SimulationOptions(seed: seed)
      options.partitions = Self.partitions(of: seed)
      options.isGathering = true
      let report = try Simulation.run(options)
      #expect(report.calls > 50)
      happenings.add(report.happenings)
    }
    let often: [Happening] = [
      .groupsFull, .groupPlayersLeft, .turnMoves, .turnMovesSealed, .ticketsMatched,
      .ticketsCancelled, .ticketsExpired, .matchesOfMany, .matchesOfEight, .matchesFilled,
      .playersAdded, .turnGamesForked, .reliableMessages,
    ]
    #expect(Set(often).isDisjoint(with: happenings.missing))
  }

  @Test(
    "2.4 2.6 2.7 2.8 2.9 2.10 2.11 7.3 societies keep their promises, and cause what they are to")
  func societies() throws {
    var happenings = Happenings()
    for seed in UInt64(1)...12 {
      var options = SimulationOptions(seed: seed, isSociety: true)
      options.partitions = Self.partitions(of: seed)
      let report = try Simulation.run(options)
      #expect(report.calls > 100)
      #expect(report.streamEvents > 20)
      happenings.add(report.happenings)
    }
    let often: [Happening] = [
      .requestsAccepted, .requestsDeclined, .requestsDeleted, .requestsExpired, .requestReceipts,
      .requestsDroppedFull, .requestsToTokens, .tokensClaimed, .tokensRevoked, .tokensExpired,
      .claimsRefusedClaimed, .devicesAdded, .devicesCameBack, .devicesToldOfLoss,
      .eventsExpiredUnread, .consentsGiven, .consentsRevoked, .identitiesLinked,
      .identityConflicts, .playersBanned, .signInsRefusedByBan, .playersErased,
      .erasuresToldAtOnce, .erasuresToldAtSignIn, .signUpsRefusedToErased, .erasuresAmidCrash,
    ]
    #expect(Set(often).isDisjoint(with: happenings.missing))
  }

  @Test("2.11 a seed with floods drops events of senders and of games, beside others that it takes")
  func floods() throws {
    var happenings = Happenings()
    for seed in [63, 84] as [UInt64] {
      happenings.add(try Simulation.run(SimulationOptions(seed: seed)).happenings)
    }
    let often: [Happening] = [
      .eventsDroppedOfSenders, .eventsDroppedOfGames, .eventsTakenBesideDropped,
    ]
    #expect(Set(often).isDisjoint(with: happenings.missing))
  }

  @Test("2.11 a sender who takes the room of others is found by what they lose")
  func greedySender() {
    let isFound = stride(from: 7, through: 56, by: 7).contains { seed in
      var options = SimulationOptions(seed: UInt64(seed))
      options.canary = .greedySender
      do {
        _ = try Simulation.run(options)
        return false
      } catch { return "\(error)".contains("for which there was room") }
    }
    #expect(isFound)
  }

  /// The checks are worth something only if they find what is wrong.
  @Test(
    "a fault that is built in is found within a few seeds",
    arguments: Canary.allCases)
  func canary(fault: Canary) {
    let isFound = (fault.firstSeed...fault.firstSeed + 120).contains { seed in
      var options = SimulationOptions(seed: seed, isSociety: fault.isOfSocieties)
      options.canary = fault
      options.partitions = 2
      options.isMeeting = fault.isOfMatches
      options.isGathering = fault.isOfGatherings
      guard fault.shows(in: options) else { return false }
      do {
        _ = try Simulation.run(options)
        return false
      } catch {
        return fault.sign.isEmpty || "\(error)".contains(fault.sign)
      }
    }
    #expect(isFound)
  }

  @Test(
    "3.5 3.9 a fault of matches is found in those of more than two",
    arguments: Canary.allCases.filter(\.isOfMatches))
  func canaryOfMany(fault: Canary) {
    let isFound = (fault.firstGathering...fault.firstGathering + 48).contains { seed in
      var options = SimulationOptions(seed: seed)
      options.canary = fault
      options.isGathering = true
      do {
        _ = try Simulation.run(options)
        return false
      } catch { return "\(error)".contains(fault.sign) }
    }
    #expect(isFound)
  }
}
