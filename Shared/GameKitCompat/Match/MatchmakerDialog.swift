internal import Dialogs
internal import MusterKit

/// What a `GKMatchmakerViewController` does, from when it appears: it asks the player with whom to
/// play, and shows the search until there is a match.
@MainActor
struct MatchmakerDialog {
  /// What is looked for.
  enum Goal {
    /// A match, or players for a game on the game's own server.
    case match(isHosted: Bool)
    case invitation(GKInvite, isHosted: Bool)
    /// More players for a match.
    case addition(GKMatch)
    /// A turn-based match, which begins without anybody being connected.
    case turnBased
  }

  enum Found: Sendable {
    case match(GKMatch)
    case players([GKPlayer])
    case turnBased(GKTurnBasedMatch)
  }

  let goal: Goal
  /// The dialog's own copy.
  let request: GKMatchRequest
  let mode: GKMatchmakingMode
  let hostedPlayerAccepted: @MainActor (GKPlayer) -> Void

  func outcome() async -> DialogOutcome<Found> {
    do throws(GKError) {
      _ = try GameKit.signedInClient()
      if mode == .nearbyOnly {
        throw GKError(
          .notAllowed, as: .notSupported, "Muster does not know which players are nearby.")
      }
      if case .invitation = goal { return await search() }
      _ = try request.criteria
    } catch {
      return .failed(error)
    }
    if mode == .automatchOnly || request.restrictToAutomatch {
      request.restrictToAutomatch = true
      return await search()
    }
    guard let presenter = GameKit.presenter else { return await search() }
    switch await arranged(by: presenter) {
    case .answered(let choice): return await search(choice)
    case .cancelled: return .cancelled
    case .failed(let error): return .failed(error)
    case .timedOut:
      return .failed(GKError(.deadlineExceeded, "The player has not answered in time."))
    }
  }

  // MARK: With whom

  private func arranged(by presenter: any DialogPresenter) async
    -> DialogOutcome<MatchArrangement.Choice>
  {
    let suggested = (request.recipients ?? []).map(\.playerID)
    let arrangement = MatchArrangement(
      players: request.minPlayers...request.maxPlayers, message: request.inviteMessage ?? "",
      suggested: suggested
    ) { search in
      DialogPages(friendsWith: search, suggested: suggested)
    }
    return await dialogOutcome(within: GameKit.dialogTimeout) {
      try await presenter.arrangeMatch(arrangement)
    }
  }

  private func search(_ choice: MatchArrangement.Choice) async -> DialogOutcome<Found> {
    switch choice {
    case .anybody: request.recipients = nil
    case .friends(let ids, let message):
      // The names of those who were suggested are known.
      request.recipients = ids.compactMap { id in
        request.recipients?.first { $0.playerID == id }
          ?? PlayerID(id).map { GKPlayer($0, displayName: "") }
      }
      request.inviteMessage = message
    }
    return await search()
  }

  // MARK: The search

  private func search() async -> DialogOutcome<Found> {
    do throws(GKError) { try expectFriends() } catch { return .failed(error) }
    let shown = ShownSearch(request)
    let (outcomes, ending) = AsyncStream.makeStream(
      of: DialogOutcome<Found>.self, bufferingPolicy: .bufferingOldest(1))
    let searching = Task {
      do throws(GKError) {
        ending.yield(.answered(try await find(shown.observer)))
      } catch {
        ending.yield(error.code == .cancelled ? .cancelled : .failed(error))
      }
    }
    let showing = GameKit.presenter.map { presenter in
      Task {
        do {
          try await presenter.showSearch(MatchSearch(shown.states))
          ending.yield(.cancelled)
        } catch is CancellationError {
          ending.yield(.cancelled)
        } catch {
          ending.yield(.failed(error))
        }
      }
    }
    defer {
      searching.cancel()
      showing?.cancel()
      shown.end()
    }
    for await outcome in outcomes { return outcome }
    return .cancelled
  }

  /// By friends alone, a match with nobody invited would be one with whoever waits.
  private func expectFriends() throws(GKError) {
    if case .invitation = goal { return }
    if mode == .inviteOnly, try request.invited().isEmpty {
      throw GKError(
        .invalidArgument, argument: "recipients", "This match is with friends who are invited.")
    }
  }

  /// What was found, when all players are connected.
  private func find(_ observer: SearchObserver) async throws(GKError) -> Found {
    let client = try GameKit.signedInClient()
    switch goal {
    case .invitation(let invite, isHosted: true):
      let finder = MatchFinder(request: request, client: client, observer: observer)
      let found = try await MatchFinder.accepted(invite, client)
      return .players(
        try await finder.use(found) { (context) async throws(GKError) in
          try await GKMatchmaker.players(in: context, client)
        })
    case .invitation(let invite, isHosted: false):
      let match = try await MatchFinder.joined(invite, client)
      try await match.allConnected()
      return .match(match)
    case .addition(let match):
      try await GKMatchmaker.add(to: match, request, observer)
      return .match(match)
    case .turnBased: return .turnBased(try await GKTurnBasedMatch.find(for: request, observer))
    case .match(isHosted: true): return .players(try await hostedPlayers(observer))
    case .match:
      let finder = MatchFinder(
        request: request, client: client, observer: observer,
        isAutomatching: mode != .inviteOnly)
      let match = try await finder.join(try await finder.found())
      try await match.allConnected()
      return .match(match)
    }
  }

  private func hostedPlayers(_ observer: SearchObserver) async throws(GKError) -> [GKPlayer] {
    var observer = observer
    let (answered, accepted) = (observer.answered, hostedPlayerAccepted)
    observer.answered = { player, response in
      answered(player, response)
      if response == .accepted { accepted(GKPlayer(player, displayName: "")) }
    }
    return try await GKMatchmaker.hostedPlayers(
      for: request, isAutomatching: mode != .inviteOnly, observer)
  }
}
