import Dialogs
import Foundation
import GamingServicesCompat
import MusterKit
import Operations
import Stack
import Testing

extension System.GamingDialogs {
  @MainActor
  static func playReach() async throws {
    var options = Stack.Options()
    options.flags["request/1"] = [
      "--request-send-burst", "50", "--request-send-refill-seconds", "3600",
    ]
    try await withFriends(options) { stack, player in
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      presenter.requestConfirmation = { _ in true }
      try await sendToToken(stack, player)
      try await sendByConsent(stack, player, presenter)
      try await sendOverBlock(player, presenter)
      try await sendTooMuch(stack, player)
      player.expectEachToldOnce()
    }
  }

  /// 2.7: a token is for the first player who comes with it, and nobody sees who got the request
  /// besides.
  @MainActor
  private static func sendToToken(_ stack: Stack, _ player: DialogPlayer) async throws {
    let token = try await player.client.call(CreateInviteTokens(count: 1)).tokens[0].token
    let sent = player.showSend(to: [player.friendID, token])
    #expect(await sent.told.first() == "completed")
    #expect(sent.results["to"] as? [String] == [player.friendID, token])
    let (carla, _) = try await stack.player("Carla")
    _ = try await carla.claim(inviteToken: token)
    let (one, other) = (
      try #require(await EventReader(carla).next(RequestReceived.self)?.request),
      try #require(await EventReader(player.friend).next(RequestReceived.self)?.request)
    )
    #expect(one.request == other.request && one.sender == player.credential.player)
    #expect(one.request.description == sent.results["request_id"] as? String)
    var answer = AnswerRequest()
    answer.request = one.request
    _ = try await carla.call(answer)
    let answered = await EventReader(player.client).next(RequestAnswered.self)
    #expect(answered?.request == one.request && answered?.accepted == false)
    await carla.close()
  }

  /// 2.6: who has agreed is not asked about, also after the gateway was killed, until one of the
  /// two revokes it.
  @MainActor
  private static func sendByConsent(
    _ stack: Stack, _ player: DialogPlayer, _ presenter: ScriptedPresenter
  ) async throws {
    var asked = 0
    presenter.requestConfirmation = { _ in
      asked += 1
      return true
    }
    func send() async -> String? {
      await player.showSend(to: [player.friendID], isFrictionless: true).told.first()
    }
    #expect(await send() == "completed")
    #expect(asked == 1)
    let recipient = player.credential.player
    _ = try await player.friend.call(GrantConsent(to: recipient))
    while player.client.frictionlessRecipients?.isEmpty ?? true { await Task.yield() }
    try await stack.kill("gateway")
    async let started: Void = stack.start("gateway")
    #expect(await send() == "completed")
    try await started
    #expect(asked == 1)
    _ = try await player.friend.call(RevokeConsent(recipient, isHeld: false))
    #expect(await send() == "completed")
    #expect(asked == 2)
  }

  /// 2.9: who blocks the player is as unreachable as who never was.
  @MainActor
  private static func sendOverBlock(_ player: DialogPlayer, _ presenter: ScriptedPresenter)
    async throws
  {
    #expect(await player.create(player.friendID) == "completed")
    let pair = try #require(GamingContext.current?.identifier)
    _ = try await player.client.createSoloContext()
    var block = BlockPlayer()
    block.player = player.credential.player
    _ = try await player.friend.call(block)
    let unknown = PlayerID(high: 1, low: 1).description
    var (told, outcomes): ([String], [String]) = ([], [])
    for id in [player.friendID, unknown] {
      let created = player.showCreate(id)
      told.append(await created.told.first() ?? "")
      told.append(created.error?.localizedDescription ?? "")
      let sent = player.showSend(to: [id])
      told.append(await sent.told.first() ?? "")
      outcomes += (sent.results["outcomes"] as? [String: String] ?? [:]).values
    }
    #expect(told[0] == "failed notReachable" && told[..<3] == told[3...])
    #expect(outcomes == ["notReachable", "notReachable"])
    #expect(await player.change(to: pair) == "failed notFound")
    var shown: [String] = []
    presenter.contextChoice = { choice in
      while case let page = try await choice.contexts.next(), !page.isEmpty {
        shown += page.map(\.identifier)
      }
      return nil
    }
    presenter.recipientSelection = { selection in
      shown += try await selection.friends("").next().map(\.playerID)
      return nil
    }
    #expect(await player.choose() == "cancelled")
    #expect(await player.send(to: []) == "cancelled")
    #expect(!shown.contains(pair) && !shown.contains(player.friendID))
  }

  /// 2.10: a budget is kept over a restart, and says when to try again.
  @MainActor
  private static func sendTooMuch(_ stack: Stack, _ player: DialogPlayer) async throws {
    let recipients = (1...40).map { PlayerID(high: 2, low: $0).description }
    #expect(await player.send(to: recipients) == "completed")
    try await stack.kill("request/1")
    try await stack.start("request/1")
    let refused = player.showSend(to: recipients)
    #expect(await refused.told.first() == "failed rateLimited")
    let retryAfter = try #require((refused.error as? GamingServicesError)?.retryAfter)
    #expect(retryAfter > .seconds(3600))
  }
}
