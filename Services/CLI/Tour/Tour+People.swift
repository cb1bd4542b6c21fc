import MusterKit

/// What players see of each other, guests who come by a link, and what is kept about one.
extension Tour {
  /// A red disc of 16 pixels, as a PNG.
  private static let photo = """
    iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX////WTDCm06pZAAAAJklEQVR42mNgYGBgf8DA\
    /4FB/geD/R+G+n/oCCgIlAIqACpjYAAAnEIRX83CMnEAAAAASUVORK5CYII=
    """

  func showPhoto(of anna: TourPlayer, to ben: TourPlayer) async throws {
    guard let bytes = Base64.bytes(Self.photo) else {
      throw TourFailure(description: "the tour's photo is not in base 64")
    }
    let set = try await anna.client.setPhoto(bytes)
    let profile = try await ben.client.profiles(of: [anna.identifier])[0]
    try check(profile.normalPhoto == set, "Anna's profile names the photo that she has set")
    let loaded = try await ben.client.photo(set, of: anna.identifier)
    try check(loaded == bytes, "Ben loads the same photo")
    try await step("Anna set a photo of \(bytes.count) bytes, and Ben loaded it")
  }

  /// The request waits at the token until somebody claims it who was not there when it was sent.
  func inviteGuest(_ anna: TourPlayer) async throws {
    let token = try await anna.client.call(CreateInviteTokens(count: 1)).tokens[0].token
    var send = SendRequest()
    (send.message, send.actionType, send.recipients) = ("Come and play!", .invite, [token])
    let sent = try await anna.client.call(send)
    let dora = try await TourPlayer.join("Dora", configuration, claiming: token)
    let received = await dora.event(RequestReceived.self) { $0.request.request == sent.request }
    try check(received.request.message == send.message, "the guest gets the request that waited")
    let claimed = await anna.event(InviteTokenClaimed.self) { $0.token == token }
    try check(claimed.player == dora.identifier, "Anna is told who has come by her token")
    var answer = AnswerRequest()
    (answer.request, answer.accept) = (sent.request, true)
    _ = try await dora.client.call(answer)
    _ = await anna.event(RequestAnswered.self) { $0.request == sent.request && $0.accepted }
    do {
      _ = try await anna.client.claim(inviteToken: token)
      throw TourFailure(description: "a sender has claimed her own token")
    } catch let error as MusterError where error.code == .invalidArgument {}
    try await step("Dora came by Anna's invite token, and got the request that waited for her")
    try await erase(dora, seenBy: anna)
  }

  /// Rows are looked through one after the other, so the call is made until this one was.
  private func erase(_ dora: TourPlayer, seenBy anna: TourPlayer) async throws {
    // Where the answer is lost, she is erased all the same: no answers of hers are kept.
    do throws(MusterError) {
      try await dora.client.eraseMyself()
    } catch {
      guard error.code == .notAuthenticated else { throw error }
    }
    var profile = try await anna.client.profiles(of: [dora.identifier])[0]
    while profile.isReachable {
      try await Pause.wait(.milliseconds(20))
      profile = try await anna.client.profiles(of: [dora.identifier])[0]
    }
    try check(profile.displayName.isEmpty, "nothing is told of an erased player")
    try await step("Dora had herself erased, and nobody finds her any more")
  }

  /// Recent players are told to each of them a moment later, so the call is made until they were.
  func remember(_ anna: TourPlayer, _ ben: TourPlayer, _ cleo: TourPlayer) async throws {
    var recent: Set<PlayerID> = []
    while recent.count < 2 {
      let page = try await ben.client.call(ListRecentPlayers())
      recent = Set(page.players.map(\.profile.player))
      if recent.count < 2 { try await Pause.wait(.milliseconds(20)) }
    }
    try check(
      recent == [anna.identifier, cleo.identifier], "Ben's recent players are Anna and Cleo")
    let suggested = try await ben.client.call(SuggestFriends()).suggestions
    try check(
      suggested.map(\.profile.player) == [cleo.identifier] && suggested[0].mutualFriends == 1,
      "Cleo, a friend of his friend, is suggested to Ben")
    try await step("Ben has played with Anna and Cleo; Cleo, whom Anna knows, is suggested to him")
  }

  /// A process that was just started again is asked once it is there.
  func export(_ anna: TourPlayer) async throws {
    let services: Set = ["context", "request", "leaderboard"]
    var records: [ServiceRecord] = []
    while Set(records.map(\.service)) != services {
      records = try await session.asOperator(configuration) { client in
        var found: [ServiceRecord] = []
        try await client.export(anna.identifier) { found += $0 }
        return found
      }
    }
    let texts = records.map { String(decoding: $0.record.json.array, as: UTF8.self) }
    for part in [#""displayName":"Anna""#, #""RequestAnswered":{"#, #""ChallengeCompleted":{"#] {
      try check(texts.contains { $0.contains(part) }, "the export of Anna's records has \(part)")
    }
    try check(
      records.contains(where: \.record.isOwn) && !records.allSatisfy(\.record.isOwn),
      "some of it is Anna's alone")
    try await step("the operator exported what the \(services.count) services keep about Anna")
  }
}
