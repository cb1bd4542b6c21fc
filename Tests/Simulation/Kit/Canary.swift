import Domain
import Operations
import Wire

/// A fault that is built in on purpose, and that the checks must find. A fault in the rules of a
/// core is made by changing the calls on their way to it.
package enum Canary: String, Sendable, CaseIterable {
  /// Batches are reported as durable before they are.
  case earlyRelease
  /// Effects arrive as if from a source that the inbox has never heard of.
  case forgetfulInbox
  /// A session forwards calls in an order other than that of their arrival.
  case overtaking
  /// A session hears late that a service has given a call back, and passes later calls on
  /// meanwhile.
  case lateDemand
  /// A gateway remembers who is in a context, and does not ask again.
  case oldFact
  /// A session's cursor does not move on: an event may be pushed again.
  case stuckCursor
  /// A gateway tells clients that all missed events were pushed, when some were not.
  case untoldReplay
  /// A session gets new events before its client has read those that it missed.
  case earlyLive
  /// All events count as one and the same sender's.
  case greedySender
  /// A cursor that is no place of the stream counts as its end.
  case clampedCursor
  /// A call is repeated under a new key.
  case newKey
  /// Services forget what they answered after a second.
  case shortWindows
  /// Pushed events reach the game unsorted, and with gaps.
  case skippedGap
  /// Effects no longer say which effect they follow, so that they may be applied out of order.
  case lostOrder
  /// Equal values share a rank where they should not, and do not where they should.
  case wrongTies
  /// The last score counts instead of the best.
  case wrongAggregation
  /// A window of a day is one of a week.
  case wrongWindow
  /// Occurrences last for longer than they should.
  case lateEnd
  /// Queries of the previous occurrence get the open one.
  case wrongOccurrence
  /// Challenges never expire.
  case noExpiry
  /// A challenge asks for its issuer's entry, whatever score it names.
  case entryAsTarget
  /// A player's key passes on who comes and goes, whatever is between the two.
  case unaskedPresence
  /// Everybody gets beaten challenges issued back.
  case unasked
  /// A banned player may go on.
  case noBan
  /// Removing an attempt removes all of them.
  case noFallback
  /// Scores need no ticket.
  case noTicket
  /// A report completes challenges that it does not name.
  case allEligible
  /// Whole messages of a match reach the game as they come, past the seat, which acknowledges none.
  case unsortedData
  /// Match data counts as acknowledged when the service has taken it, before it has come.
  case lostData
  /// Whoever leaves a match is told so, but stays in it.
  case unheardLeave
  /// Groups have room for more than their owners say.
  case crowdedGroup
  /// Players' lists keep the contexts that they have left.
  case staleList
  /// A player who is removed may come back.
  case openPolicy
  /// Moves count as made on the newest version, whatever their players have seen.
  case blindMoves
  /// A move changes the state, and is not in the history.
  case lostMove
  /// A move after which its player has the turn takes effect twice.
  case doubleMove
  /// What a player keeps hidden is in the state that all can read.
  case toldSecret
  /// A round is revealed long before its time is up.
  case earlyReveal
  /// Players' lists do not hear of games that wait for them.
  case hiddenTurn
  /// An undo takes one move more than all have agreed to.
  case deepUndo
  /// A game is forked one move too early.
  case earlyFork
  /// What a player foresees is forgotten.
  case noForesight
  /// A ticket takes a match of any size.
  case anySize
  /// A ticket takes a match on any map.
  case anyMap
  /// No player's key knows of a block when a match is to be confirmed.
  case unknownBlocks
  /// A player's list does not hear how a ticket has ended.
  case openTicket
  /// A ticket that was cancelled counts as expired.
  case wrongEnd
  /// A party's ticket is put in again after a while, whatever has become of it.
  case doubleTicket
  /// Who has joined a match that was found waits for the others without end.
  case endlessJoining
  /// The tickets of those who are to wait again get lost.
  case lostReturn
  /// Whoever is added to a match has no seat in it.
  case lostAddition
  /// A recipient is told who else has got a request.
  case toldRecipients
  /// Who accepts a request declines it, and the other way round.
  case wrongAnswer
  /// A request that was deleted stays.
  case keptRequest
  /// Requests never expire.
  case endlessRequests
  /// Lists have more room than their bounds say.
  case roomyInbox
  /// Nobody is sent receipts.
  case noReceipts
  /// A block ends a friendship, and stops nothing.
  case softBlock
  /// An invite token can be claimed twice.
  case doubleClaim
  /// An invite token that was revoked can be claimed.
  case noRevocation
  /// Invite tokens never expire.
  case endlessTokens
  /// Nothing is kept for devices that are behind.
  case forgottenDevices
  /// Nobody is told which events are not kept any more.
  case untoldLoss
  /// Events are removed for their age long before their time.
  case shortEvents
  /// Events are never too old.
  case endlessEvents
  /// A consent that was revoked stays.
  case keptConsent
  /// The other side of a consent does not hear of it.
  case untoldConsent
  /// Requests without a dialog need no consent.
  case noConsent
  /// An identity's key does not hear that it was given up.
  case keptIdentity
  /// A ban is over as soon as it has begun.
  case shortBan
  /// A snapshot does not say what it should.
  case wrongSnapshot
  /// Who claims an invite token is no friend of its sender, and so gets nothing.
  case emptyToken
  /// A process hears of an erasure as that of somebody else, and keeps what it has.
  case keptRows
  /// A process gives an erased player a stand-in of its own.
  case ownStandIn
  /// A process that dies forgets whom it has erased.
  case forgottenList
  /// What was erased stays in the files.
  case endlessCleaning

  /// Whether it shows in matches alone.
  package var isOfMatches: Bool { [.unsortedData, .lostData, .unheardLeave].contains(self) }

  /// Whether it shows in gatherings alone.
  package var isOfGatherings: Bool { topic != nil }

  /// What gatherings are mostly about in which it shows soon.
  private var topic: Topic? {
    switch self {
    case .crowdedGroup, .staleList, .openPolicy: .groups
    case .blindMoves, .lostMove, .doubleMove, .toldSecret, .earlyReveal, .hiddenTurn, .noForesight,
      .deepUndo, .earlyFork:
      .turns
    case .anySize, .anyMap, .unknownBlocks, .openTicket, .wrongEnd, .doubleTicket,
      .endlessJoining, .lostReturn:
      .tickets
    case .lostAddition: .matches
    default: nil
    }
  }

  /// Whether it shows in societies alone.
  package var isOfSocieties: Bool {
    switch self {
    case .toldRecipients, .wrongAnswer, .keptRequest, .endlessRequests, .roomyInbox, .noReceipts,
      .softBlock, .doubleClaim, .noRevocation, .endlessTokens, .emptyToken, .forgottenDevices,
      .untoldLoss, .shortEvents, .endlessEvents, .wrongSnapshot, .keptConsent, .untoldConsent,
      .noConsent, .keptIdentity, .shortBan, .unaskedPresence:
      true
    default: isOfErasures
    }
  }

  /// Whether it shows where players are erased.
  private var isOfErasures: Bool {
    [.keptRows, .ownStandIn, .forgottenList, .endlessCleaning].contains(self)
  }

  /// Where to begin looking for it: at a seed in which it shows, for those that show in few.
  package var firstSeed: UInt64 {
    switch self {
    case .stuckCursor: 144
    case .earlyLive, .greedySender: 7
    case .wrongWindow, .noFallback: 8
    case .clampedCursor, .untoldConsent: 9
    case .noBan: 13
    case .unasked, .allEligible: 16
    case .lostOrder: 21
    case .unaskedPresence: 3
    case .earlyFork: 20
    case .deepUndo: 69
    case .noForesight: 68
    case .doubleTicket: 75
    case .unknownBlocks: 57
    case .keptRequest: 17
    case .emptyToken: 20
    case .noRevocation: 23
    case .lostAddition: 28
    default: 1
    }
  }

  /// The same among gatherings, for a fault of matches: most calls of 12 to 15 are about matches.
  package var firstGathering: UInt64 { self == .unheardLeave ? 34 : 12 }

  /// Whether it is worth looking for in a seed.
  package func shows(in options: SimulationOptions) -> Bool {
    if self == .forgottenDevices && !options.isChatty { return false }
    if self == .unaskedPresence && !options.hasLateBlocks { return false }
    if isOfSocieties { return options.isSociety && options.hasErasures == isOfErasures }
    return topic == nil || options.isGathering && topic == options.topic
  }
}

extension Canary {
  /// Set in the kind of a hint that a core is not to know.
  static let unknownHint: UInt16 = 0x8000

  /// What the violation says by which the checks are to find it; empty for any.
  package var sign: String {
    switch self {
    case .unaskedPresence: "whom it blocks"
    case .crowdedGroup: "places were taken"
    case .staleList: "the contexts of"
    case .openPolicy: "1.8"
    case .blindMoves: "took effect after version"
    case .lostMove: "has not the moves"
    case .doubleMove: "that nobody made"
    case .toldSecret: "keeps hidden"
    case .earlyReveal: "was told before"
    case .hiddenTurn: "1.9"
    case .anySize: "players, not as many as"
    case .anyMap: "which do not fit"
    case .unknownBlocks: "whom a block keeps apart"
    case .openTicket, .wrongEnd: "3.2"
    case .doubleTicket: "was matched twice"
    case .deepUndo: "moves remain"
    case .earlyFork: "forked"
    case .noForesight: "was foreseen"
    case .endlessJoining: "is stranded in"
    case .lostReturn: "waits for ever"
    case .lostAddition: "3.6"
    case .unsortedData: "was due"
    case .lostData: "have come"
    case .unheardLeave: "match that it left"
    case .toldRecipients: "is told of another recipient"
    case .wrongAnswer: "nobody gave the answer"
    case .keptRequest: "lists the requests"
    case .endlessRequests: "outlives its time"
    case .roomyInbox: "without room"
    case .noReceipts: "receipts untold"
    case .softBlock: "passes a block"
    case .doubleClaim: "was claimed twice"
    case .noRevocation: "after it was revoked"
    case .endlessTokens: "lists the token"
    case .emptyToken: "without a reason"
    case .forgottenDevices: "has missed"
    case .untoldLoss: "came after"
    case .shortEvents: "was removed before"
    case .endlessEvents: "is kept for too long"
    case .wrongSnapshot: "has the snapshot"
    case .keptConsent: "should not be"
    case .untoldConsent: "disagree on their consent"
    case .noConsent: "without a dialog"
    case .keptIdentity: "who comes as"
    case .shortBan: "is banned"
    case .keptRows, .forgottenList: "7.3 a row of"
    case .ownStandIn: "two stand-ins"
    case .endlessCleaning: "all is quiet"
    default: ""
    }
  }

  func spoil(_ request: inout Request) {
    switch self {
    case .wrongTies, .wrongAggregation, .lateEnd, .noTicket:
      change(DefineLeaderboard.self, &request) { spoil(&$0.definition) }
    case .wrongWindow:
      change(TopScores.self, &request) { query in
        if query.period.timeScope == .today { query.period.timeScope = .week }
      }
    case .wrongOccurrence:
      change(TopScores.self, &request) { query in
        if query.period.occurrencesBack == 1 { query.period.occurrencesBack = 0 }
      }
    case .noExpiry:
      change(IssueScoreChallenge.self, &request) { $0.lifetimeMilliseconds = nil }
    case .entryAsTarget:
      change(IssueScoreChallenge.self, &request) { ($0.value, $0.scoreTag) = (nil, 0) }
    case .unasked:
      change(SetChallengePreferences.self, &request) { $0.issuesBack = true }
    case .noBan:
      change(RestrictPlayer.self, &request) { operation in
        if operation.restriction == .ban { operation.restriction = .quarantine }
      }
    case .noFallback:
      change(RemoveScore.self, &request) { $0.fallsBack = false }
    case .allEligible:
      change(SubmitScore.self, &request) { score in
        score.eligibility = .all
        score.eligibleChallenges = []
      }
    case .unaskedPresence:
      change(DeliverHint.self, &request) { hint in
        if hint.kind == PresenceChanged.opcode.rawValue { hint.kind |= Self.unknownHint }
      }
    case .greedySender:
      change(AppendEvent.self, &request) { $0.sender = PlayerID(high: 1, low: 1) }
    case .unheardLeave: change(LeaveMatch.self, &request) { $0.number = .max }
    default: spoilGathering(&request)
    }
  }

  private func spoilGathering(_ request: inout Request) {
    switch self {
    case .crowdedGroup:
      change(CreateGroupContext.self, &request) { $0.sizeMax += 3 }
      change(ChangeContextSettings.self, &request) { $0.sizeMax = $0.sizeMax.map { $0 + 3 } }
    case .staleList: change(RecordContext.self, &request) { $0.isMember = true }
    case .openPolicy:
      change(CreateGroupContext.self, &request) { $0.policy = .open }
      change(ChangeContextSettings.self, &request) { $0.policy = $0.policy.map { _ in .open } }
    case .toldSecret:
      change(StartTurnGame.self, &request) { $0.state = $0.hidden.first?.hidden ?? Bytes() }
    case .earlyReveal:
      change(StartTurnGame.self, &request) {
        $0.options.turnTimeoutMilliseconds = TurnLimits.clockMillisecondsMin
      }
    case .deepUndo:
      change(ProposeTurnChange.self, &request) { if $0.move > 0 { $0.move -= 1 } }
    case .earlyFork:
      change(ForkTurnGame.self, &request) { if $0.move > 0 { $0.move -= 1 } }
    case .lostAddition:
      let player = request.envelope.principal.player
      change(AddMatchPlayers.self, &request) { $0.players = [player] }
    case .noForesight: change(SetConditionalMoves.self, &request) { $0.lines = [] }
    case .hiddenTurn:
      change(RecordTurnGame.self, &request) { record in
        if record.oldState == .waiting { record.oldState = .running }
        if record.state == .waiting { record.state = .running }
      }
    case .anySize:
      change(FindMatch.self, &request) { $0.criteria.maxPlayers = 16 }
      change(PlaceTicket.self, &request) { $0.criteria.maxPlayers = 16 }
    case .anyMap:
      change(FindMatch.self, &request) { $0.criteria.words = [TicketWord("map", "sea")] }
    case .unknownBlocks: change(MatchConfirmed.self, &request) { $0.blocked = [] }
    case .lostReturn:
      change(PlaceTicket.self, &request) { if $0.expiresAt != 0 { $0.players = [] } }
    case .openTicket: change(RecordTicket.self, &request) { $0.info.state = .waiting }
    case .wrongEnd:
      change(RecordTicket.self, &request) { record in
        if record.info.state == .cancelled { record.info.state = .expired }
      }
    case .lostMove: hide(&request)
    default: spoilSociety(&request)
    }
  }

  /// Makes of a move a change of the state that is no move.
  private func hide(_ request: inout Request) {
    guard request.opcode == MakeMove.opcode, let move = try? MakeMove(decoding: request.body)
    else { return }
    var save = SaveTurnState()
    (save.context, save.number, save.version) = (move.context, move.number, move.version)
    (save.state, save.hidden) = (move.state, move.hidden)
    (request.opcode, request.body) = (SaveTurnState.opcode, save.encoded)
  }

  private func spoil(_ definition: inout LeaderboardDefinition) {
    switch self {
    case .wrongTies:
      definition.tieRule = definition.tieRule == .sharedRank ? .earliestFirst : .sharedRank
    case .wrongAggregation:
      if definition.aggregation == .best { definition.aggregation = .latest }
    case .lateEnd:
      if let recurrence = definition.recurrence {
        definition.recurrence?.duration = recurrence.interval
      }
    default:
      definition.requiresTicket = false
      definition.runSecondsMin = 0
    }
  }

  func change<O: Operation>(
    _ type: O.Type, _ request: inout Request, _ change: (inout O) -> Void
  ) {
    guard request.opcode == O.opcode, var operation = try? O(decoding: request.body) else { return }
    change(&operation)
    request.body = operation.encoded
  }
}
