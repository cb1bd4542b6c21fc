import Locking
@testable import MusterKit

@testable import GameKitCompat

/// A server that answers by a script and remembers what it was asked.
final class FakeClient: GameKitClient {
  struct Answers {
    var isSignedIn = true
    var player = FakeClient.me
    var signInFailure: MusterError?
    /// Keeps a sign-in from returning until the test yields it.
    var signInHold: Signal?
    var page = ScorePage()
    var challenges: [Challenge] = []
    var outcomes: [ChallengeOutcome] = []
    var achievements: [AchievementProgress] = []
    var definitions: [AchievementDefinition] = []
    var reportFailure: MusterError?
    var submitFailure: MusterError?
    /// Keeps a report of achievements from returning until the test yields it.
    var reportHold: Signal?
    var challengeable = ChallengeablePlayers()
    var issued = IssuedChallengeOutcomes()
    /// Lists of received challenges that cannot be had, before the first one that can.
    var listFailures = 0
    var friends: [Friend] = []
    /// Why the next list of friends cannot be had.
    var friendsFailure: MusterError?
    var asked: [any Operation] = []
    /// How tickets end, and those that were waited for.
    var ticketInfo = TicketInfo()
    var tickets: [(MatchTicketID, String)] = []
    /// Keeps tickets from ending until whoever waits for them is cancelled.
    var holdsTickets = false
    /// Who was asked about, and who was challenged, to earn an achievement.
    var askedToEarn: [[PlayerID]?] = []
    /// From where events were asked for, and the stream that was given last.
    var cursors: [UInt64?] = []
    var events: AsyncStream<PlayerEvent>.Continuation?
    /// Of those who watch for events without consuming them.
    var eventWatchers: [AsyncStream<PlayerEvent>.Continuation] = []
    /// All of the player's events, which a new stream gives again from its cursor on.
    var sent: [PlayerEvent] = []
    /// How often the next event was asked for, in all streams.
    var eventsAskedFor = 0
    /// Names are not answered until the test says so.
    var holdsNames = false
    var heldNames: [CheckedContinuation<Void, Never>] = []
    var watchers: [AsyncStream<ConnectionState>.Continuation] = []
    var hintHearers: [AsyncStream<PlayerHint>.Continuation] = []
    var turns = TurnAnswers()
    /// Invitations that were accepted.
    var accepted: [MatchInviteReference] = []
    var photos: [PhotoID: [UInt8]] = [:]
    /// What friends' profiles name as their small photo.
    var smallPhoto = PhotoID()
    var boards = BoardAnswers()
    /// The boards of the game, in sets or not.
    var allBoards = ["laps", "wins"]
    var normalPhoto = PhotoID()
    /// What was called, in its order; calls about challenges with their message.
    var calls: [String] = []
  }

  static let me = PlayerID(high: 1, low: 0)
  static let friend = PlayerID(high: 2, low: 0)
  static let stranger = PlayerID(high: 3, low: 0)
  static let names = [me: "Me", friend: "Friend"]
  static let context = ContextID(high: 9, low: 9)

  let answers = Locked(Answers())
  let seat = FakeSeat()
  /// Yields for each stream of events that was asked for.
  let opened = AsyncStream.makeStream(of: Void.self)
  /// Yields for each stream of events whose consumer has left.
  let closed = AsyncStream.makeStream(of: Void.self)
  /// Yields for each context that was left, and each ticket that was cancelled.
  let left = AsyncStream.makeStream(of: Void.self)
  /// What becomes of invitations to matches; there is one listener in a test.
  let invites = AsyncStream.makeStream(of: MatchInviteNews.self)
  /// Yields for each session that began by a credential, before its call returns.
  let signedIn = Signal()
  /// Yields for each ticket that is kept from ending.
  let heldTicket = Signal()
  private let ticketHold = Signal()
  /// Yields for each invitation that was answered, and each that was sent.
  let answered = Signal()
  let invited = Signal()
  /// Yields for each name that is held back.
  let heldName = AsyncStream.makeStream(of: Void.self)

  init(_ prepare: (inout Answers) -> Void = { _ in }) {
    answers.withLock { prepare(&$0) }
  }

  private var info: SessionInfo {
    SessionInfo(
      kind: .player, player: answers.withLock { $0.player }, displayName: "Me", game: "game",
      acknowledged: 0,
      streamEnd: 0)
  }
  var session: SessionInfo? { answers.withLock { $0.isSignedIn } ? info : nil }
  var asked: [any Operation] { answers.withLock { $0.asked } }

  var states: AsyncStream<ConnectionState> {
    let (stream, watcher) = AsyncStream.makeStream(of: ConnectionState.self)
    answers.withLock { answers in
      watcher.yield(answers.isSignedIn ? .connected : .signedOut)
      answers.watchers.append(watcher)
    }
    return stream
  }

  /// Signing out ends the streams of events.
  func setSignedIn(_ isSignedIn: Bool) {
    let ended = answers.withLock { answers in
      answers.isSignedIn = isSignedIn
      return isSignedIn ? [] : answers.eventWatchers + [answers.events].compactMap(\.self)
    }
    for events in ended { events.finish() }
    answers.withLock { answers in
      for watcher in answers.watchers { watcher.yield(isSignedIn ? .connected : .signedOut) }
    }
  }

  /// The next one to sign in has events of its own.
  func become(_ player: PlayerID) {
    answers.withLock { ($0.player, $0.sent) = (player, []) }
  }

  func signIn(_ credential: Credential, deadline: Duration?) async throws(MusterError)
    -> SessionInfo
  {
    let (failure, hold) = answers.withLock { answers in
      answers.isSignedIn = answers.signInFailure == nil
      return (answers.signInFailure, answers.signInHold)
    }
    signedIn.yield()
    await hold?.next()
    if let failure { throw failure }
    return info
  }

  func playerEvents(after place: StreamPlace?) -> any AsyncSequence<PlayerEvent, Never> {
    let (stream, continuation) = AsyncStream.makeStream(of: PlayerEvent.self)
    answers.withLock { answers in
      answers.cursors.append(place?.sequence)
      answers.events = continuation
      for event in answers.sent where event.sequence > place?.sequence ?? 0 {
        continuation.yield(event)
      }
    }
    opened.continuation.yield()
    return FakeEvents(client: self, stream: stream)
  }

  func send(_ event: PlayerEvent) {
    answers.withLock { answers in
      answers.sent.append(event)
      _ = answers.events?.yield(event)
      for watcher in answers.eventWatchers { watcher.yield(event) }
    }
  }

  /// Gives what came before, too, so that a test can say beforehand what comes of a call.
  var matchmakingEvents: AsyncStream<PlayerEvent> {
    let (stream, watcher) = AsyncStream.makeStream(of: PlayerEvent.self)
    watcher.onTermination = { [closed] _ in closed.continuation.yield() }
    answers.withLock { answers in
      answers.eventWatchers.append(watcher)
      for event in answers.sent { watcher.yield(event) }
    }
    return stream
  }

  var hints: AsyncStream<PlayerHint> {
    let (stream, hearer) = AsyncStream.makeStream(of: PlayerHint.self)
    answers.withLock { $0.hintHearers.append(hearer) }
    return stream
  }

  var matchInvites: AsyncStream<MatchInviteNews> { invites.stream }

  func acceptMatchInvite(_ invite: MatchInviteReference) async throws(MusterError) {
    answers.withLock { $0.accepted.append(invite) }
  }

  func photo(_ photo: PhotoID, of player: PlayerID) async throws(MusterError) -> [UInt8] {
    answers.withLock { $0.calls.append("photo") }
    guard let bytes = answers.withLock({ $0.photos[photo] }) else {
      throw MusterError(.notFound, "There is no such photo.")
    }
    return bytes
  }

  private func holdName() async {
    await withCheckedContinuation { waiter in
      let isHeld = answers.withLock { answers in
        if answers.holdsNames { answers.heldNames.append(waiter) }
        return answers.holdsNames
      }
      if isHeld { heldName.continuation.yield() } else { waiter.resume() }
    }
  }

  func answerNames() {
    let waiters = answers.withLock { answers in
      defer { (answers.holdsNames, answers.heldNames) = (false, []) }
      return answers.heldNames
    }
    for waiter in waiters { waiter.resume() }
  }

  func friends() async throws(MusterError) -> [Friend] {
    try await ListFriends.all { (list) async throws(MusterError) in
      try await self.call(list, deadline: nil)
    }
  }

  func challengeablePlayers(toEarn achievement: String, among players: [PlayerID]?)
    async throws(MusterError) -> ChallengeablePlayers
  {
    answers.withLock { answers in
      answers.askedToEarn.append(players)
      answers.calls.append("challengeablePlayers")
      return answers.challengeable
    }
  }

  func issueChallenge(
    toEarn achievement: String, receivers: [PlayerID], message: String, lifetime: Duration?
  ) async throws(MusterError) -> IssuedChallengeOutcomes {
    let issued = answers.withLock { answers in
      answers.askedToEarn.append(receivers)
      answers.calls.append("issueChallenge \(message)")
      return answers.issued
    }
    if issued.outcomes.isEmpty, let error = issued.error { throw error }
    return issued
  }

  func seat(in context: ContextID) async throws(MusterError) -> any MatchSeating { seat }

  func foundSeat(in context: ContextID) async throws(MusterError) -> any MatchSeating { seat }

  func ticketOutcome(of ticket: MatchTicketID, in playerGroup: String) async throws(MusterError)
    -> TicketInfo
  {
    let (info, isHeld) = answers.withLock { answers in
      answers.tickets.append((ticket, playerGroup))
      return (answers.ticketInfo, answers.holdsTickets)
    }
    if isHeld {
      heldTicket.yield()
      await ticketHold.next()
      throw MusterError(.cancelled, "The search was cancelled.")
    }
    return info
  }

  func call<O: Operation>(_ operation: O, deadline: Duration?) async throws(MusterError) -> O.Reply
  {
    if operation is GetProfiles { await holdName() }
    let result = answers.withLock { answers -> Result<any Message, MusterError> in
      answers.asked.append(operation)
      answers.calls.append(O.name)
      return answers.reply(to: operation)
    }
    if operation is ReportAchievements, let hold = answers.withLock({ $0.reportHold }) {
      await hold.next()
      answers.withLock { $0.calls.append("\(O.name) returns") }
    }
    if operation is LeaveContext || operation is CancelTicket { left.continuation.yield() }
    if operation is AnswerMatchInvite { answered.yield() }
    if operation is InvitePlayers { invited.yield() }
    guard let reply = try result.get() as? O.Reply else {
      throw MusterError(.unknownOperation, "The test has no answer to \(O.name).")
    }
    return reply
  }
}

extension FakeClient.Answers {
  /// The friends of the list, one in each page, and none in the first.
  private func select(_ select: SelectRecipients) -> SelectRecipients.Reply {
    let suggested = select.recipientSuggestions
    let found = friends.filter { friend in
      friend.state == .friends
        && (select.search.isEmpty
          || friend.displayName.lowercased().contains(select.search.lowercased()))
    }
    let isSuggested = { (friend: Friend) in suggested.contains(friend.player) }
    let ordered = found.filter(isSuggested) + found.filter { !isSuggested($0) }
    var reply = SelectRecipients.Reply()
    guard let place = Int(select.cursor) else {
      reply.cursor = "0"
      return reply
    }
    for friend in ordered.dropFirst(place).prefix(1) {
      var choice = RecipientChoice()
      (choice.profile.player, choice.profile.displayName) = (friend.player, friend.displayName)
      choice.isSuggested = isSuggested(friend)
      reply.recipients.append(choice)
    }
    if place + 1 < ordered.count { reply.cursor = "\(place + 1)" }
    return reply
  }

  mutating func reply(to operation: any Operation) -> Result<any Message, MusterError> {
    if let reply = boards.reply(to: operation) { return reply }
    switch operation {
    case let get as GetProfiles:
      var reply = GetProfiles.Reply()
      reply.profiles = get.players.map { player in
        var profile = Profile()
        profile.player = player
        guard let name = FakeClient.names[player] else { return profile }
        (profile.isReachable, profile.displayName) = (true, name)
        profile.smallPhoto = smallPhoto
        profile.normalPhoto = normalPhoto
        return profile
      }
      return .success(reply)
    case is ListFriends:
      if let friendsFailure {
        self.friendsFailure = nil
        return .failure(friendsFailure)
      }
      var reply = ListFriends.Reply()
      reply.friends = friends
      return .success(reply)
    case let select as SelectRecipients: return .success(self.select(select))
    case is TopScores, is FriendScores: return .success(page)
    case is SubmitScore:
      if let submitFailure { return .failure(submitFailure) }
      return .success(SubmitScore.Reply())
    case is IssueScoreChallenge:
      var reply = IssueScoreChallenge.Reply()
      reply.outcomes = outcomes
      return .success(reply)
    case let report as ReportAchievements:
      if let reportFailure { return .failure(reportFailure) }
      var reply = ReportAchievements.Reply()
      reply.achievements = report.reports.map { report in
        var progress = AchievementProgress()
        progress.achievement = report.achievement
        progress.lastReportedDate = 2500
        return progress
      }
      return .success(reply)
    case let list as ListAchievements:
      // One a page, as below.
      let index = Int(list.cursor) ?? 0
      var reply = ListAchievements.Reply()
      reply.achievements = Array(achievements.dropFirst(index).prefix(1))
      reply.cursor = index + 1 < achievements.count ? "\(index + 1)" : ""
      return .success(reply)
    case let list as DescribeAchievements:
      let index = Int(list.cursor) ?? 0
      var reply = DescribeAchievements.Reply()
      reply.definitions = Array(definitions.dropFirst(index).prefix(1))
      reply.cursor = index + 1 < definitions.count ? "\(index + 1)" : ""
      return .success(reply)
    case is ResetAchievements: return .success(Empty())
    case let list as ListLeaderboards:
      // One a page.
      let index = Int(list.cursor) ?? 0
      var reply = ListLeaderboards.Reply()
      reply.boards = allBoards.dropFirst(index).prefix(1).map { name in
        var entry = LeaderboardListEntry()
        (entry.board, entry.title) = (name, "The \(name)")
        return entry
      }
      reply.cursor = index + 1 < allBoards.count ? "\(index + 1)" : ""
      return .success(reply)
    case is ListLeaderboardSets:
      var (reply, entry) = (ListLeaderboardSets.Reply(), LeaderboardSetEntry())
      (entry.set, entry.title) = ("race", "Race")
      reply.sets = [entry]
      return .success(reply)
    case let describe as DescribeLeaderboardSet:
      guard describe.set == "race" else { return .failure(MusterError(.notFound, "No set.")) }
      var reply = DescribeLeaderboardSet.Reply()
      reply.boards = ["laps", "wins"].map { name in
        var member = LeaderboardSetMember()
        (member.board, member.title) = (name, "The \(name)")
        return member
      }
      return .success(reply)
    case is ReceivedChallenges where listFailures > 0:
      listFailures -= 1
      return .failure(MusterError(.disconnected, "Not now."))
    case let list as ReceivedChallenges:
      // One challenge a page.
      let index = Int(list.cursor) ?? 0
      var page = ChallengePage()
      page.challenges = Array(challenges.dropFirst(index).prefix(1))
      page.cursor = index + 1 < challenges.count ? "\(index + 1)" : ""
      return .success(page)
    case is DeclineChallenge: return .success(Empty())
    case is CreatePairContext:
      var info = ContextInfo()
      info.context = FakeClient.context
      return .success(info)
    case is FindMatch:
      var reply = FindMatch.Reply()
      reply.ticket = MatchTicketID(high: 5, low: 5)
      return .success(reply)
    case is QueueActivity:
      var reply = QueueActivity.Reply()
      (reply.waitingPlayers, reply.matchedPlayers) = (3, 4)
      return .success(reply)
    case is InvitePlayers:
      var reply = InvitePlayers.Reply()
      reply.invite = MatchInviteID(high: 6, low: 6)
      return .success(reply)
    case is LeaveContext, is CloseContext: return .success(Empty())
    case is CancelTicket: return .success(CancelTicket.Reply())
    case let send as SendRequest:
      var reply = SendRequest.Reply()
      reply.recipients = send.recipients.map { text in
        var outcome = RecipientOutcome()
        (outcome.recipient, outcome.outcome) = (text, .queued)
        return outcome
      }
      return .success(reply)
    default: return matchReply(to: operation)
    }
  }
}

/// A stream of events that counts what is asked of it, and tells when its consumer has left.
struct FakeEvents: AsyncSequence {
  typealias Element = PlayerEvent
  typealias Failure = Never

  let client: FakeClient
  let stream: AsyncStream<PlayerEvent>

  func makeAsyncIterator() -> Iterator { Iterator(client, stream.makeAsyncIterator()) }

  final class Iterator: AsyncIteratorProtocol {
    private let client: FakeClient
    private var base: AsyncStream<PlayerEvent>.Iterator

    init(_ client: FakeClient, _ base: AsyncStream<PlayerEvent>.Iterator) {
      self.client = client
      self.base = base
    }

    deinit { client.closed.continuation.yield() }

    func next(isolation actor: isolated (any Actor)?) async -> PlayerEvent? {
      client.answers.withLock { $0.eventsAskedFor += 1 }
      return await base.next(isolation: actor)
    }
  }
}

/// A seat whose match a test plays.
final class FakeSeat: MatchSeating {
  enum Act: Equatable, Sendable {
    case reliable([UInt8], [PlayerID]?)
    case unreliable([UInt8], [PlayerID]?)
    case added([PlayerID])
    case left
  }

  struct State {
    var players: [PlayerID] = []
    var isEnded = false
    var failure: MusterError?
    var host: PlayerID?
  }

  let state = Locked(State())
  let acts = AsyncStream.makeStream(of: Act.self)
  let events = AsyncStream.makeStream(of: MatchEvent.self)

  let context = FakeClient.context
  /// Yields for each event that was asked for.
  let asked = Signal()
  var players: [PlayerID] { state.withLock { $0.players } }
  var expectedPlayerCount: Int { players.isEmpty ? 1 : 0 }
  var isEnded: Bool { state.withLock { $0.isEnded } }

  func join(_ player: PlayerID) {
    state.withLock { $0.players.append(player) }
    events.continuation.yield(.playerChanged(player, .connected, isNewClient: false))
  }

  func leave(_ player: PlayerID) {
    state.withLock { $0.players.removeAll { $0 == player } }
    events.continuation.yield(.playerChanged(player, .left, isNewClient: false))
  }

  func nextAct() async -> Act? {
    var iterator = acts.stream.makeAsyncIterator()
    return await iterator.next()
  }

  func sendReliable(_ bytes: [UInt8], to players: [PlayerID]?) async throws(MusterError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    acts.continuation.yield(.reliable(bytes, players))
  }
  func sendUnreliable(_ bytes: [UInt8], to players: [PlayerID]?) async throws(MusterError) {
    acts.continuation.yield(.unreliable(bytes, players))
  }
  func addPlayers(_ players: [PlayerID]) async throws(MusterError) {
    acts.continuation.yield(.added(players))
  }
  func leave() async throws(MusterError) { acts.continuation.yield(.left) }
  func chooseHost() async throws(MusterError) -> PlayerID? { state.withLock { $0.host } }
  func rematchSeat() async throws(MusterError) -> any MatchSeating {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return FakeSeat()
  }
  func nextEvent() async -> MatchEvent? {
    asked.yield()
    var iterator = events.stream.makeAsyncIterator()
    return await iterator.next()
  }
}
