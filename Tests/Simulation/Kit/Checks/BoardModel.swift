import Foundation
import Operations
import Wire

/// The simplest model of a leaderboard: all attempts in the order in which they came. Each query
/// filters, aggregates, sorts and cuts them anew (`BoardModel+Ranking`).
struct BoardModel {
  struct Attempt {
    var number: Int
    var player: PlayerID
    var value: Int64
    var context: UInt64
    var date: Int64
    /// The number of the occurrence to which the attempt counts; nil on a board of all time.
    var occurrence: Int64?
    /// Whether the attempt is in quarantine.
    var isHidden = false
    /// Whether the attempt was removed for good.
    var isRemoved = false

    var counts: Bool { !isHidden && !isRemoved }
  }

  private struct Ticket {
    var player: PlayerID
    var from: Int64
    var until: Int64
    var isUsed = false
  }

  let definition: LeaderboardDefinition
  private let ticketLifetime: Int64
  /// All occurrences that a simulation can come to.
  let schedule: [Occurrence]
  var challenges = ChallengeBook()
  private(set) var attempts: [Attempt] = []
  private(set) var bannedOnce: Set<PlayerID> = []
  private var banned: Set<PlayerID> = []
  private var tickets: [TicketID: Ticket] = [:]
  private var ticketOrder: [TicketID] = []

  init(_ definition: LeaderboardDefinition, ticketLifetime: Int64) {
    self.definition = definition
    self.ticketLifetime = ticketLifetime
    schedule = definition.recurrence.map { Self.schedule(of: $0) } ?? []
  }

  private static func schedule(of recurrence: Recurrence) -> [Occurrence] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    func time(_ count: Int64) -> Int64 {
      if recurrence.unit == .seconds { return (recurrence.start + count) * 1000 }
      let start = Date(timeIntervalSince1970: Double(recurrence.start))
      let date = calendar.date(
        byAdding: recurrence.unit == .months ? .month : .day, value: Int(count), to: start)
      return Int64(date?.timeIntervalSince1970 ?? 0) * 1000
    }
    var occurrences: [Occurrence] = []
    while (occurrences.last?.end ?? 0) < Simulation.lastTime {
      var occurrence = Occurrence()
      occurrence.number = Int64(occurrences.count)
      occurrence.start = time(occurrence.number * recurrence.interval)
      occurrence.end = time(occurrence.number * recurrence.interval + recurrence.duration)
      occurrences.append(occurrence)
    }
    return occurrences
  }

  /// The occurrence that is open; between two, the one that was open last.
  func current(at now: Int64) -> Occurrence? { schedule.last { $0.start <= now } }

  // MARK: Scores

  /// Applies a score that the board took. Returns the reply that the board must have given.
  mutating func submit(_ player: PlayerID, _ score: SubmitScore, byServer: Bool, at now: Int64)
    throws(Violation) -> SubmitScore.Reply
  {
    if let fault = fault(of: score, player, byServer: byServer, at: now) {
      throw Violation(description: "\(definition.board) took a score of \(player): \(fault)")
    }
    if let ticket = score.ticket { tickets[ticket]?.isUsed = true }
    let old = shown(player, at: now)
    let value = score.value ?? 0
    attempts.append(
      Attempt(
        number: attempts.count, player: player, value: value, context: score.scoreTag, date: now,
        occurrence: current(at: now)?.number))
    var reply = SubmitScore.Reply()
    let ranking = ranking(at: now)
    reply.entry = ranking.first { $0.player == player } ?? LeaderboardEntry()
    reply.total = UInt32(ranking.count)
    reply.isImproved = old.map { isBetter(reply.entry.value, than: $0.value) } ?? true
    reply.completedChallenges = complete(player, score, reply.entry.value, at: now)
    return reply
  }

  private func fault(
    of score: SubmitScore, _ player: PlayerID, byServer: Bool, at now: Int64
  ) -> String? {
    guard let value = score.value else { return "it has no value" }
    if let minimum = definition.minimum, value < minimum { return "it is less than the least" }
    if let maximum = definition.maximum, value > maximum { return "it is more than the most" }
    if banned.contains(player) { return "the player is banned" }
    if definition.isServerWritten && !byServer { return "only the server writes there" }
    if definition.recurrence != nil && current(at: now).map({ now >= $0.end }) ?? true {
      return "no occurrence is open"
    }
    guard definition.requiresTicket && !byServer else { return nil }
    guard let id = score.ticket, let ticket = tickets[id] else { return "it has no ticket" }
    let newest = ticketOrder.filter { tickets[$0]?.player == ticket.player }
      .suffix(LeaderboardLimits.ticketsPerPlayerMax)
    if ticket.player != player { return "the ticket is another player's" }
    if ticket.isUsed { return "the ticket was used" }
    if now < ticket.from || now >= ticket.until { return "the ticket is not for now" }
    return newest.contains(id) ? nil : "the ticket made room for newer ones"
  }

  private mutating func complete(
    _ player: PlayerID, _ score: SubmitScore, _ shown: Int64, at now: Int64
  ) -> [ChallengeID] {
    let value = definition.aggregation == .sum ? shown : score.value ?? 0
    let met = challenges.eligible(
      for: player, at: now, score.eligibility, score.eligibleChallenges
    ).filter { !isBetter($0.value, than: value) }
    for challenge in met {
      let completion = ChallengeBook.Completion(
        value: value, context: score.scoreTag, isBeaten: isBetter(value, than: challenge.value))
      challenges.complete(challenge.id, completion, at: now)
    }
    return met.map(\.id).sorted()
  }

  mutating func startRun(_ player: PlayerID, _ run: StartRun.Reply, at now: Int64)
    throws(Violation)
  {
    let from = now + Int64(definition.runSecondsMin) * 1000
    guard run.from == from, run.until == now + ticketLifetime,
      tickets[run.ticket] == nil, !banned.contains(player)
    else { throw Violation(description: "\(player) began the run \(run) at \(now)") }
    tickets[run.ticket] = Ticket(player: player, from: run.from, until: run.until)
    ticketOrder.append(run.ticket)
  }

  // MARK: Owners' powers

  mutating func remove(_ player: PlayerID, fallsBack: Bool, at now: Int64)
    throws(Violation) -> LeaderboardEntry?
  {
    let shown = shown(player, at: now)
    let isHeld = attempts.contains { $0.player == player && $0.isHidden && !$0.isRemoved }
    guard shown != nil || !fallsBack && isHeld else {
      throw Violation(description: "a score of \(player) was removed, who has none")
    }
    if fallsBack, let shown {
      attempts[shown.number].isRemoved = true
      return ranking(at: now).first { $0.player == player }
    }
    change(player) { [current = current(at: now)?.number] attempt in
      if attempt.isHidden || attempt.occurrence == current { attempt.isRemoved = true }
    }
    return nil
  }

  mutating func restrict(_ player: PlayerID, _ restriction: PlayerRestriction, at now: Int64) {
    switch restriction {
    case .ban:
      banned.insert(player)
      bannedOnce.insert(player)
      hide(player, at: now)
    case .quarantine: hide(player, at: now)
    case .unban:
      banned.remove(player)
      change(player) { $0.isHidden = false }
    default: change(player) { $0.isHidden = false }
    }
  }

  /// A score in quarantine of an earlier occurrence makes room.
  private mutating func hide(_ player: PlayerID, at now: Int64) {
    guard shown(player, at: now) != nil else { return }
    change(player) { [current = current(at: now)?.number] attempt in
      if attempt.occurrence == current {
        attempt.isHidden = true
      } else if attempt.isHidden {
        attempt.isRemoved = true
      }
    }
  }

  private mutating func change(_ player: PlayerID, _ change: (inout Attempt) -> Void) {
    for index in attempts.indices where attempts[index].player == player {
      change(&attempts[index])
    }
  }

  func isBetter(_ left: Int64, than right: Int64) -> Bool {
    definition.sortOrder == .lowFirst ? left < right : left > right
  }
}
