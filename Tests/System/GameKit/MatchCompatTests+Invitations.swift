import Foundation
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System.MatchCompat {
  @MainActor
  static func invite() async throws {
    try await GameKitStage.run(friends: ["Ben", "Cleo"]) { stage in
      let (client, hearer) = (try await hearWhenSignedIn(stage), MatchHearer())
      try await inviteAll(stage, hearer)
      try await takeBack(stage)
      // Whoever asks: the player declines by the banner.
      let shown = ToldTexts()
      GameKit.showInviteBanner = { invite in
        shown.tell("\(invite.sender.displayName): \(invite.message ?? "")")
        return false
      }
      _ = try await stage.cleo.call(invitation(to: [stage.credential.player]))
      #expect(await shown.next() == "Cleo: Join me!")
      let declined = await stage.cleoHears.next(MatchInviteAnswered.self)
      #expect(declined?.answer == .declined && shown.count == 1)
      try await block(stage)
      await client.close()
    }
  }

  private static func invitation(to players: [PlayerID]) -> InvitePlayers {
    var invite = InvitePlayers()
    (invite.recipients, invite.message) = (players, "Join me!")
    (invite.playerGroup, invite.criteria.maxPlayers) = ("5", 3)
    return invite
  }

  @MainActor
  private static func answer(
    _ invite: MatchInviteID, of inviter: PlayerID, _ answer: MatchInviteAnswer,
    by client: MusterClient
  ) async throws {
    var operation = AnswerMatchInvite()
    (operation.inviter, operation.invite, operation.answer) = (inviter, invite, answer)
    _ = try await client.call(operation)
  }

  /// Takes the seat in the match that an invitation has come to.
  @MainActor
  private static func join(_ stage: GameKitStage) async throws -> MatchOther {
    var found = MatchFound()
    found.context = try #require(await stage.benHears.next(MatchInviteEnded.self)?.context)
    return MatchOther(try await stage.ben.join(found))
  }

  /// An invitation is accepted before the player has signed in, and told once to a listener that
  /// was registered twice. It comes to a match.
  @MainActor
  private static func hearWhenSignedIn(_ stage: GameKitStage) async throws -> MusterClient {
    await stage.anna.close()
    let client = MusterClient(stage.stack.configuration)
    GameKit.configure(client: client)
    let listener = MatchmakerHearer()
    let (anna, ben) = (stage.credential.player, stage.id(0))
    let sent = try await stage.ben.call(invitation(to: [anna])).invite
    GameKit.acceptInvite(MatchInviteReference(inviter: ben, invite: sent))
    GKLocalPlayer.local.register(listener)
    GKLocalPlayer.local.register(listener)
    try await client.signIn(stage.credential)
    #expect(await listener.told.next() == "accepted Ben")
    let invite = try #require(listener.invite)
    let controller = try #require(GKMatchmakerViewController(invite: invite))
    controller.matchmakerDelegate = listener
    let screen = UIViewController()
    screen.present(controller, animated: true)
    let other = try await join(stage)
    #expect(await listener.told.next() == "found Ben")
    listener.match?.disconnect()
    #expect(await other.next() == "ended")
    screen.dismiss(animated: true)
    #expect(listener.told.count == 2)
    return client
  }

  /// One of the two whom the local player invites comes, and the other one later.
  @MainActor
  private static func inviteAll(_ stage: GameKitStage, _ hearer: MatchHearer) async throws {
    let (request, answers) = (GKMatchRequest(), ToldTexts())
    (request.recipients, request.maxPlayers) = (stage.players, 3)
    request.recipientResponseHandler = { player, answer in
      answers.tell("\(player.displayName) \(answer)")
    }
    let finding = Task { try await GKMatchmaker.shared().findMatch(for: request) }
    let anna = stage.credential.player
    let sent = try #require(await stage.benHears.next(MatchInvitation.self))
    try await answer(sent.invite, of: anna, .accepted, by: stage.ben)
    #expect(await answers.next() == "Ben accepted")
    _ = await stage.cleoHears.next(MatchInvitation.self)
    try await answer(sent.invite, of: anna, .declined, by: stage.cleo)
    #expect(await answers.next() == "Cleo declined")
    let match = try await finding.value
    match.delegate = hearer
    let ben = try await join(stage)
    #expect(await hearer.changes.next() == "Ben connected")

    request.recipients = [stage.players[1]]
    let adding = Task {
      try await GKMatchmaker.shared().addPlayers(to: match, matchRequest: request)
    }
    let later = try #require(await stage.cleoHears.next(MatchInvitation.self))
    #expect(later.context != nil)
    try await answer(later.invite, of: anna, .accepted, by: stage.cleo)
    try await adding.value
    #expect(await answers.next() == "Cleo accepted")
    let cleo = MatchOther(
      try await stage.cleo.join(try #require(await stage.cleoHears.next(MatchFound.self))))
    #expect(await hearer.changes.next() == "Cleo connected")
    #expect(Set(match.players) == Set(stage.players) && answers.count == 3)
    try match.send(1...1)
    #expect(await ben.next() == "1")
    #expect(await cleo.next() == "1")
    match.disconnect()
  }

  /// What is cancelled comes to nothing, for those who are invited too.
  @MainActor
  private static func takeBack(_ stage: GameKitStage) async throws {
    let request = GKMatchRequest()
    (request.recipients, request.minPlayers) = (stage.players, 3)
    let finding = Task {
      await gameKitError { _ = try await GKMatchmaker.shared().findMatch(for: request) }
    }
    let sent = try #require(await stage.benHears.next(MatchInvitation.self))
    GKMatchmaker.shared().cancel()
    #expect(await finding.value == .cancelled)
    let ended = await stage.benHears.next(MatchInviteEnded.self)
    #expect(ended?.invite == sent.invite && ended?.context == nil && ended?.ticket == nil)
  }

  /// Who blocks the local player is neither invited nor found.
  @MainActor
  private static func block(_ stage: GameKitStage) async throws {
    var block = BlockPlayer()
    block.player = stage.credential.player
    _ = try await stage.ben.call(block)
    let request = GKMatchRequest()
    (request.recipients, request.minPlayers) = (stage.players, 3)
    let refused = await gameKitError {
      _ = try await GKMatchmaker.shared().findMatch(for: request)
    }
    #expect(refused == .invalidPlayer)

    var find = FindMatch()
    find.playerGroup = "9"
    let ticket = try await stage.ben.call(find).ticket
    (request.recipients, request.minPlayers, request.playerGroup) = (nil, 2, 9)
    request.maxPlayers = 2
    let finding = Task {
      await gameKitError { _ = try await GKMatchmaker.shared().findMatch(for: request) }
    }
    while try await GKMatchmaker.shared().queryPlayerGroupActivity(9) < 2 {}
    _ = try await stage.cleo.call(find)
    let found = try await stage.ben.match(of: ticket, in: "9")
    GKMatchmaker.shared().cancel()
    #expect(await finding.value == .cancelled)
    var context = GetContext()
    context.context = found.context
    let players = try await stage.ben.call(context).players.map(\.player)
    #expect(Set(players) == [stage.id(0), stage.id(1)])
  }
}
