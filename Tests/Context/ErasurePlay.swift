import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Ann does everything that the context service keeps rows of, with others who go on without her.
final class ErasurePlay {
  /// What Ann writes where it is hers alone.
  static let words = "Markermaid"

  let groups = GroupWorld()
  /// Ann plays, and says things; the third has sealed rounds; the fourth she watches.
  let turns: TurnWorld
  let sealed: TurnWorld
  let watched: TurnWorld
  private(set) var pair = ContextID()
  private(set) var shared = ContextID()
  private(set) var asked = ContextID()
  private(set) var match = ContextID()
  private(set) var found = ContextID()
  private(set) var fork = ContextID()
  private(set) var openFork = ContextID()
  /// Ben's, which Ann answers, and Ann's.
  private(set) var exchanges: [UInt32] = []

  var driver: ContextDriver { groups.driver }

  init() throws {
    let driver = groups.driver
    turns = try TurnWorld([ann, ben, cho], in: .sample(900), driver: driver)
    sealed = try TurnWorld([ann, ben, cho], in: .sample(901), driver: driver)
    watched = try TurnWorld([ben, cho, ann], in: .sample(902), driver: driver)
    try enterContexts()
    try joinMatches()
    try lookForMatches()
    try inviteToMatches()
    try playTurns()
    try playSecretly()
    try forgetNews()
  }

  private func forgetNews() throws {
    try groups.forgetEvents()
    driver.hints = []
  }

  // MARK: Contexts

  private func enterContexts() throws {
    pair = try driver.pair()
    try driver.createSolo(ann)
    shared = try groups.group(ann, ben, cho, policy: .byRequest)
    try groups.invite([dan], to: shared, by: ann)
    try groups.change(shared, ben, to: .owner, by: ann)
    try groups.create(ann, name: Self.words)
    try groups.create(ben, inviting: [ann])
    asked = try groups.group(ben, cho, policy: .byRequest)
    try groups.join(asked, ann)
    try groups.block(fay, by: ann)
    try groups.block(ann, by: eve)
  }

  // MARK: Matches

  private func joinMatches() throws {
    match = try driver.matched([ann, ben, cho], context: .sample(910))
    for (player, session) in [(ann, 1), (ben, 2), (cho, 3)] as [(PlayerID, UInt64)] {
      try driver.join(match, as: player, session: session, seat: session)
    }
    var leave = LeaveMatch()
    (leave.context, leave.seat) = (try driver.matched([ann, ben], context: .sample(911)), 9)
    try driver.call(leave, as: ann)
  }

  private func find(_ player: PlayerID, in group: String) throws {
    var operation = FindMatch()
    operation.playerGroup = group
    operation.criteria.words = [TicketWord("map", player == ann ? Self.words : "any")]
    try groups.ask(operation, as: player)
  }

  /// The players' keys say whether one of them blocks another.
  private func confirm(blocking blocked: [PlayerID: [PlayerID]] = [:]) throws {
    for question in try driver.takeEffects(ConfirmMatch.self).map(\.operation) {
      var answer = MatchConfirmed()
      (answer.queue, answer.match) = (question.queue, question.match)
      (answer.player, answer.blocked) = (question.player, blocked[question.player] ?? [])
      try driver.call(answer, as: PlayerID(), kind: .service)
      try driver.deliverOwnEffects()
    }
  }

  /// A found match, tickets of two who may not be together, and a match that is not confirmed.
  private func lookForMatches() throws {
    for player in [ann, dan] { try find(player, in: "found") }
    try confirm()
    found = try #require(driver.streamEvents(MatchFound.self).first).event.context
    for player in [ann, ben] { try find(player, in: "apart") }
    try confirm(blocking: [ben: [ann]])
    for player in [ann, cho] { try find(player, in: "proposed") }
    _ = try driver.takeEffects(ConfirmMatch.self)
  }

  private func inviteToMatches() throws {
    for (inviter, recipients) in [(ann, [ben, cho]), (ben, [ann, cho])] {
      var operation = InvitePlayers()
      (operation.recipients, operation.message) = (recipients, inviter == ann ? Self.words : "come")
      operation.criteria.maxPlayers = 4
      try groups.ask(operation, as: inviter)
    }
    var offer = OfferMatchInvite()
    (offer.player, offer.invitation.inviter) = (ann, dan)
    offer.invitation.expiresAt = driver.clock + 1000
    try driver.call(offer, as: PlayerID(), kind: .service)
  }

  // MARK: Turn-based games

  private func playTurns() throws {
    try turns.start(state: "before")
    try turns.move(ann, "d4")
    try turns.end(ben, [(ann, .won), (ben, .lost), (cho, .lost)])
    try turns.start(state: "s0") {
      $0.hidden = [.init(ann, Self.words), .init(ben, "Ben's own")]
      $0.options.playerClockMilliseconds = 60_000
    }
    try turns.move(ann, "e4 \(ann)", state: "s1", hidden: Self.words + "2")
    fork = try turns.fork(ann, at: 1)
    exchanges = [
      try turns.ask(ben, [ann, cho], "Ben asks"), try turns.ask(ann, [ben], Self.words),
    ]
    try turns.reply(ann, to: exchanges[0], Self.words)
    try turns.foresee(ann, ["e5>\(Self.words)"])
    try turns.propose(ann, .pause)
    try watched.start([ben, cho]) { $0.options.allowsSpectators = true }
    try watched.watch(ann)
    var operation = ForkTurnGame()
    (operation.context, operation.number, operation.move) = (turns.context, turns.number, 1)
    operation.players = turns.players
    openFork = try driver.call(operation, as: ann, facts: turns.facts).context
  }

  private func playSecretly() throws {
    try sealed.start { $0.options.hasSealedRounds = true }
    try sealed.seal(ann, "A1 \(ann)", round: 1)
    try sealed.seal(ben, "B1", round: 1)
  }
}
