import Locking
@testable import MusterKit

@testable import GamingServicesCompat

/// A server that answers by a script and remembers what it was asked.
final class FakeClient: GamingServicesClient {
  struct Answers {
    var contexts: [ContextInfo] = []
    var pageSize = 2
    var friends: [Friend] = []
    var appUsers: Set<PlayerID> = []
    var names: [PlayerID: String] = [:]
    var outcomes: [PlayerID: DeliveryOutcome] = [:]
    /// Who has agreed to requests without a dialog, and of whom the client knows that.
    var consents: Set<PlayerID> = []
    var knownConsents: Set<PlayerID>?
    var keepsConsents = false
    var failure: MusterError?
    var current: ContextInfo?
    var isSignedIn = true
    /// What another device has made current, of which this client has not heard.
    var elsewhere: ContextID?
    var asked: [any Wire.Operation] = []
    /// What happens once, when somebody is about to look at the session, or to get a reply.
    var beforeSession: (@Sendable () -> Void)?
    var beforeReply: (@Sendable () -> Void)?
  }

  static let me = PlayerID(high: 1, low: 0)
  static let friend = PlayerID(high: 2, low: 0)
  static let other = PlayerID(high: 3, low: 0)

  let answers = Locked(Answers())

  init(_ prepare: (inout Answers) -> Void = { _ in }) {
    answers.withLock { prepare(&$0) }
  }

  private let watchers = Locked<[AsyncStream<ConnectionState>.Continuation]>([])

  var states: AsyncStream<ConnectionState> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConnectionState.self)
    continuation.yield(answers.withLock { $0.isSignedIn } ? .connected : .signedOut)
    watchers.withLock { $0.append(continuation) }
    return stream
  }

  func post(_ state: ConnectionState) {
    for watcher in watchers.withLock({ $0 }) { watcher.yield(state) }
  }

  var session: SessionInfo? {
    answers.withLock { $0.beforeSession.take() }?()
    if !answers.withLock({ $0.isSignedIn }) { return nil }
    return SessionInfo(
      kind: .player, player: Self.me, displayName: "Me", game: "game", acknowledged: 0,
      streamEnd: 0)
  }
  var frictionlessRecipients: Set<PlayerID>? { answers.withLock { $0.knownConsents } }
  func keepFrictionlessRecipients() async { answers.withLock { $0.keepsConsents = true } }
  var currentContext: ContextInfo? { answers.withLock { $0.current } }
  var asked: [String] { answers.withLock { $0.asked.map { "\(type(of: $0))" } } }
  func sent() -> SendRequest? {
    answers.withLock { $0.asked.compactMap { $0 as? SendRequest }.last }
  }

  func call<O: Wire.Operation>(_ operation: O, deadline: Duration?) async throws(MusterError)
    -> O.Reply
  {
    let result = answers.withLock { answers -> Result<any Message, MusterError> in
      answers.asked.append(operation)
      if let failure = answers.failure { return .failure(failure) }
      return answers.reply(to: operation)
    }
    answers.withLock { $0.beforeReply.take() }?()
    guard let reply = try result.get() as? O.Reply else {
      throw MusterError(.unknownOperation, "The test has no answer to \(O.name).")
    }
    return reply
  }

  static func context(_ number: UInt64, with others: [PlayerID]) -> ContextInfo {
    var info = ContextInfo()
    info.context = ContextID(high: 9, low: number)
    info.players = ([me] + others).map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    info.size = UInt32(info.players.count)
    return info
  }

  static func makeFriend(_ player: PlayerID, _ name: String, _ state: FriendState = .friends)
    -> Friend
  {
    var friend = Friend()
    friend.player = player
    friend.displayName = name
    friend.state = state
    return friend
  }
}

extension FakeClient.Answers {
  mutating func reply(to operation: any Wire.Operation) -> Result<any Message, MusterError> {
    switch operation {
    case let create as CreatePairContext:
      return enter(contexts.first { $0.players.contains { $0.player == create.player } })
    case let change as SwitchContext:
      return enter(contexts.first { $0.context == change.context })
    case let choose as ChooseContexts:
      let start = Int(choose.cursor) ?? 0
      let end = min(start + pageSize, contexts.count)
      var reply = ChooseContexts.Reply()
      reply.contexts = contexts[start..<end].filter { isChosen($0, choose) }
      reply.cursor = end < contexts.count ? "\(end)" : ""
      return .success(reply)
    case is CurrentContext:
      var reply = CurrentContext.Reply()
      reply.context = elsewhere
      return .success(reply)
    case let get as GetContext:
      // The client of the player reads the same, and before.
      current = contexts.first { $0.context == get.context }
      return current.map { .success($0) } ?? .failure(MusterError(.notFound, "No such context."))
    case let get as GetProfiles:
      var reply = GetProfiles.Reply()
      reply.profiles = get.players.map { player in
        var profile = Profile()
        profile.player = player
        profile.displayName = names[player] ?? ""
        return profile
      }
      return .success(reply)
    case let select as SelectRecipients: return .success(self.select(select))
    case let send as SendRequest where send.isFrictionless && !agree(send.recipients):
      return .failure(MusterError(.conflict, argument: "recipients", "Not agreed."))
    case let send as SendRequest: return .success(accept(send))
    default: return .failure(MusterError(.unknownOperation, "No answer."))
    }
  }

  /// What the real server's summaries say, from whole contexts.
  private func isChosen(_ info: ContextInfo, _ choose: ChooseContexts) -> Bool {
    let others = info.players.map(\.player).filter { $0 != FakeClient.me }
    guard info.size >= choose.minParticipants,
      choose.maxParticipants == 0 || info.size <= choose.maxParticipants
    else { return false }
    return switch choose.filter {
    case .existingChallenges: info.openChallenges > 0
    case .newPlayersOnly: !others.isEmpty && appUsers.isDisjoint(with: others)
    case .newContextOnly: !info.hasPlayed
    default: true
    }
  }

  private mutating func enter(_ info: ContextInfo?) -> Result<any Message, MusterError> {
    guard var info else { return .failure(MusterError(.notFound, "No such context.")) }
    current = info
    info.wasCurrent = info.context == elsewhere
    return .success(info)
  }

  private func agree(_ recipients: [String]) -> Bool {
    recipients.allSatisfy { text in PlayerID(text).map(consents.contains) ?? false }
  }

  /// What the real server shows, a few in each page, and none in the first.
  private func select(_ select: SelectRecipients) -> SelectRecipients.Reply {
    var reply = SelectRecipients.Reply()
    let suggested = select.recipientSuggestions
    let shown = friends.filter { friend in
      let isAppUser = appUsers.contains(friend.player)
      return friend.state == .friends
        && (select.search.isEmpty || friend.displayName.contains(select.search))
        && (select.filters == .appUsers ? isAppUser : true)
        && (select.filters == .appNonUsers ? !isAppUser : true)
    }
    let ordered =
      shown.filter { suggested.contains($0.player) }
      + shown.filter { !suggested.contains($0.player) }
    guard let start = Int(select.cursor) else {
      reply.cursor = "0"
      return reply
    }
    for friend in ordered[start...].prefix(1) {
      var choice = RecipientChoice()
      choice.profile.player = friend.player
      choice.profile.displayName = friend.displayName
      choice.isSuggested = suggested.contains(friend.player)
      reply.recipients.append(choice)
    }
    if start + 1 < ordered.count { reply.cursor = "\(start + 1)" }
    return reply
  }

  private func accept(_ send: SendRequest) -> SendRequest.Reply {
    var reply = SendRequest.Reply()
    reply.request = RequestID(high: 7, low: 7)
    reply.recipients = send.recipients.map { text in
      var outcome = RecipientOutcome()
      outcome.recipient = text
      outcome.outcome = PlayerID(text).flatMap { outcomes[$0] } ?? .queued
      return outcome
    }
    return reply
  }
}
