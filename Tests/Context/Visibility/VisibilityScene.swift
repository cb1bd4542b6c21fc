import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// A place with all in it that somebody may not know: a name, a link, a request, a match with data,
/// a game with states, moves, words and lines, and the owner's ticket and invitation beside.
///
/// `ann` owns it and `ben` plays with her; the viewers are what `Viewer` says.
final class VisibilityScene {
  let world = ListeningWorld()
  let place: Place
  private var target = VisibilityTarget()
  private var pairs: [Viewer: VisibilityTarget] = [:]
  /// Whether the last context that was made has one.
  private var hasMatch = false
  /// Who asks to be let in.
  private let asker = PlayerID.sample(50)

  /// What anybody was told, while `ann` and `ben` play, who may not know it; and what those were
  /// told at all who are out.
  private(set) var leaks: [String] = []

  /// - Parameter eavesdropper: who hears what `ben` is told.
  init(_ place: Place, overheardBy eavesdropper: PlayerID? = nil) throws {
    self.place = place
    world.eavesdropper = eavesdropper.map { ($0, of: ben) }
    let friends = Viewer.allCases.filter { $0 != .stranger && $0.player != ann }.map(\.player)
    world.book.friends = Set((friends + [ben]).map { Set([ann, $0]) })
    world.book.isFriendEvenIfBlocked = true
    target.player = ann
    switch place {
    case .pair: try buildPairs()
    case .matched: try buildMatched()
    case .solo:
      target.context = try ask(CreateSoloContext(), ann).context
      try block()
      plantContext(knownTo: [ann])
    default: try buildGroup()
    }
    // Until a group is closed its players know of it, and pairs play with the same words.
    leaks = told(Viewer.outside) + ([.closedGroup, .pair].contains(place) ? [] : world.takeLeaks())
    world.eavesdropper = nil
    try buildMatchmaking()
    // Friends know each other's ids in every game.
    world.book.friends?.remove([ann, ben])
    world.forget()
  }

  func target(for viewer: Viewer) -> VisibilityTarget { pairs[viewer] ?? target }

  @discardableResult
  func ask<O: Operation>(_ operation: O, _ player: PlayerID, _ set: (inout O) -> Void = { _ in })
    throws -> O.Reply
  {
    var operation = operation
    set(&operation)
    return try world.ask(operation, as: player)
  }

  private func told(_ viewers: [Viewer]) -> [String] {
    world.told.compactMap { told in
      viewers.first { $0.player == told.ear.player }.map { "\($0) was told: \(told.what)" }
    }
  }

  private func enter(_ context: ContextID, _ players: [PlayerID]) throws {
    for player in players { try ask(SwitchContext(), player) { $0.context = context } }
  }

  private func leave(_ player: PlayerID) throws {
    try ask(LeaveContext(), player) { $0.context = target.context }
  }

  /// Some hear that they are out. What is told from then on is searched.
  private func block() throws {
    try world.block(Viewer.blocked.player, by: ann)
    try world.block(Viewer.apart.player, by: ann)
    try world.block(ann, by: Viewer.blocking.player)
    try world.deliver()
    world.forget()
  }

  private func plantContext(knownTo players: [PlayerID]) {
    world.plant("the context", target.context.bytes, knownTo: players)
  }

  // MARK: Places

  private func buildGroup() throws {
    let (left, removed) = (Viewer.left.player, Viewer.removed.player)
    let inside = [ben] + [Viewer.member, .spectator, .seated, .left, .removed].map(\.player)
    let group = try ask(CreateGroupContext(), ann) {
      ($0.name, $0.sizeMax) = ("The secret society", 30)
      $0.players = inside + [Viewer.invited.player, Viewer.apart.player]
    }
    target.context = group.info.context
    try enter(target.context, inside)
    try settings { $0.policy = .byRequest }
    try ask(JoinContext(), asker) { $0.context = target.context }
    try settings { ($0.policy, $0.renewsLink) = (place.policy, true) }
    var board = LinkBoard()
    (board.context, board.board, board.isLinked) = (target.context, "the hidden board", true)
    try world.driver.call(board, as: PlayerID(), kind: .service)
    try begin(with: [left, removed])
    try leave(left)
    try ask(RemoveFromContext(), ann) { ($0.context, $0.player) = (target.context, removed) }
    try block()

    var knowers = [ann, ben] + Viewer.inside.map(\.player)
    if place == .closedGroup { knowers = [] }
    if place == .askedGroup { knowers += [Viewer.stranger.player, left] }
    plantContext(knownTo: knowers)
    world.plant("The secret society", knownTo: knowers)
    let insiders = place == .closedGroup ? [] : [ann, ben] + Viewer.inside.map(\.player)
    world.plant("the hidden board", knownTo: insiders)
    world.plant("who is in it", ben.bytes, knownTo: insiders)
    world.plant("who asks", asker.bytes, knownTo: [ann])
    let details = try ask(GetContext(), ann) { $0.context = target.context }.details
    world.plant("the link", details?.link.bytes ?? [], knownTo: [ann])
    try play()
    if place == .closedGroup { try ask(CloseContext(), ann) { $0.context = target.context } }
  }

  private func settings(_ set: (inout ChangeContextSettings) -> Void) throws {
    try ask(ChangeContextSettings(), ann) {
      $0.context = target.context
      set(&$0)
    }
  }

  private func buildPairs() throws {
    for viewer in [Viewer.blocked, .blocking, .left] {
      let pair = try ask(CreatePairContext(), ann) { $0.player = viewer.player }
      target.context = pair.context
      try enter(pair.context, [viewer.player])
      hasMatch = false
      try beginGame(with: [], and: viewer.player)
      // A match that is under way goes on, whoever blocks whom.
      if viewer == .blocked { try beginMatch(with: [viewer.player]) }
      try play(with: viewer.player)
      pairs[viewer] = target
      // Their match goes on, and who has left may come back by `CreatePairContext`.
      plantContext(knownTo: viewer == .blocking ? [] : [ann, viewer.player])
    }
    try leave(Viewer.left.player)
    try block()
    target.context = try ask(CreatePairContext(), ann) { $0.player = ben }.context
    try enter(target.context, [ben])
    try begin(with: [])
    plantContext(knownTo: [ann, ben])
    try play()
  }

  private func buildMatched() throws {
    let left = Viewer.left.player
    target.context = try matched([ann, ben, left])
    try begin(with: [left])
    try leave(left)
    try block()
    plantContext(knownTo: [ann, ben])
    try play()
  }

  func matched(_ players: [PlayerID]) throws -> ContextID {
    var open = OpenContext()
    open.context = .sample(60)
    open.players = players.map { ContextPlayer(player: $0, role: .participant, state: .active) }
    try world.driver.call(open, as: PlayerID(), kind: .service)
    try world.deliver()
    return open.context
  }

  private func buildMatchmaking() throws {
    target.ticket = try ask(FindMatch(), ann) {
      $0.playerGroup = "league"
      $0.criteria = MatchCriteria(16, 16, words: [TicketWord("arena", "the word of the ticket")])
    }.ticket
    target.invite = try ask(InvitePlayers(), ann) {
      ($0.recipients, $0.message) = ([ben], "the message to ben")
      $0.criteria = MatchCriteria(2, 4)
    }.invite
    world.plant("the ticket", target.ticket.bytes, knownTo: [ann])
    world.plant("the word of the ticket", knownTo: [])
    world.plant("the invitation", target.invite.bytes, knownTo: [ann, ben])
    world.plant("the message to ben", knownTo: [ben])
  }

  // MARK: Play

  private func begin(with leavers: [PlayerID]) throws {
    try beginMatch(with: [ben] + leavers)
    try beginGame(with: leavers)
  }

  private func beginMatch(with others: [PlayerID]) throws {
    hasMatch = true
    for player in [ann] + others {
      target.incarnation = try ask(JoinMatch(), player) {
        ($0.context, $0.seat) = (target.context, player.low)
        if player == ann { $0.players = others }
      }.incarnation
    }
  }

  private func beginGame(with leavers: [PlayerID], and partner: PlayerID = ben) throws {
    let others = [partner] + (isGroup ? [Viewer.seated.player] : []) + leavers
    try ask(StartTurnGame(), ann) {
      ($0.context, $0.players) = (target.context, [ann] + others)
      $0.state = Self.bytes("the state that all begin with")
      $0.hidden = [.init(ann, "what was dealt to ann"), .init(partner, "what was dealt to ben")]
      $0.options.allowsSpectators = place != .sealedGroup
      $0.options.hasSealedRounds = place.isSealed
      $0.openSeats = hasSpectator ? 1 : 0
    }
    for player in others {
      try ask(AnswerTurnGame(), player) {
        ($0.context, $0.number, $0.accept) = (target.context, 1, true)
      }
    }
  }

  /// What players keep to themselves, and what those who left have not seen.
  private func play(with partner: PlayerID = ben) throws {
    var readers = [ann, partner]
    if isGroup { readers.append(Viewer.seated.player) }
    if hasSpectator { readers.append(Viewer.spectator.player) }
    if hasSpectator {
      try ask(SpectateTurnGame(), Viewer.spectator.player) {
        ($0.context, $0.number) = (target.context, 1)
      }
    }
    world.plant("the state that all begin with", knownTo: readers)
    world.plant("what was dealt to ann", knownTo: [ann])
    world.plant("what was dealt to ben", knownTo: [partner])
    world.plant("data of the match", knownTo: [partner])
    if hasMatch { try send() }
    if place.isSealed {
      world.plant("a sealed move of ann", knownTo: [ann])
      try ask(SealMove(), ann) {
        ($0.context, $0.number, $0.round) = (target.context, 1, 1)
        $0.payload = Self.bytes("a sealed move of ann")
        $0.hidden = Self.bytes("a hidden state of ann")
      }
    } else {
      world.plant("an open move of ann", knownTo: readers)
      world.plant("a state after a move", knownTo: readers)
      try move()
    }
    world.plant("a hidden state of ann", knownTo: [ann])
    world.plant("words of an exchange", knownTo: [ann, partner])
    target.exchange = try ask(OpenTurnExchange(), ann) {
      ($0.context, $0.number, $0.players) = (target.context, 1, [partner])
      $0.payload = Self.bytes("words of an exchange")
    }.exchange
  }

  private var hasSpectator: Bool { place.isWatched || place == .closedGroup }
  private var isGroup: Bool { hasSpectator || place == .sealedGroup }

  private func send() throws {
    try ask(SendMatchData(), ann) {
      ($0.context, $0.seat, $0.incarnation) = (target.context, ann.low, target.incarnation)
      ($0.isReliable, $0.sequence, $0.roster) = (true, 1, 99)
      $0.payload = Self.bytes("data of the match")
    }
  }

  private func move() throws {
    let game = try ask(ReadTurnGame(), ann) { $0.context = target.context }
    let moved = try ask(MakeMove(), ann) {
      ($0.context, $0.number, $0.version) = (target.context, 1, game.info.version)
      $0.payload = Self.bytes("an open move of ann")
      $0.state = Self.bytes("a state after a move")
      $0.hidden = Self.bytes("a hidden state of ann")
    }
    world.plant("an answer that ann foresees", knownTo: [ann])
    try ask(SetConditionalMoves(), ann) {
      ($0.context, $0.number, $0.version) = (target.context, 1, moved.version)
      var step = ConditionalStep()
      step.expected = Self.bytes("a move that never comes")
      step.payload = Self.bytes("an answer that ann foresees")
      var line = ConditionalLine()
      line.steps = [step]
      $0.lines = [line]
    }
  }

  static func bytes(_ text: String) -> Bytes { Bytes(Array(text.utf8)) }
}
