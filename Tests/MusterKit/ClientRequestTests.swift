import MusterKit
import TestKit
import Testing

@Suite("Requests of a client", .endsAtLast)
struct ClientRequestTests {
  private let one = PlayerID(high: 5, low: 1)
  private let other = PlayerID(high: 5, low: 2)

  /// Lets what a client reads by itself come in: a list of a few pages.
  private func settle(_ client: MusterClient) async throws {
    for _ in 0..<4 { _ = try await client.call(Echo()) }
  }

  private func request(to recipients: [PlayerID]) -> SendRequest {
    var request = SendRequest()
    (request.message, request.recipients) = ("Play", recipients.map(\.description))
    return request
  }

  @Test("2.6 who has agreed is read at the start, on a change, and when a session is resumed")
  func refreshed() async throws {
    try await withWorld { world in
      let (one, other) = (one, other)
      try await world.server { $0.consents = [one] }
      let client = try await world.signedIn()
      try await settle(client)
      #expect(client.frictionlessRecipients == nil, "nobody wants to know")
      await client.keepFrictionlessRecipients()
      try await settle(client)
      #expect(client.frictionlessRecipients == [one])
      try await world.server { server in
        server.consents = [one, other]
        server.append(
          ConsentChanged(sender: server.credential.player, recipient: other, isGiven: true))
      }
      try await settle(client)
      #expect(client.frictionlessRecipients == [one, other])
      // The list cannot be read for a while.
      let before = try await world.server { server in
        server.consents = nil
        server.dropAll()
        return (server.resumedCount, server.consentReads)
      }
      try await settle(client)
      let after = try await world.server { ($0.resumedCount, $0.consentReads) }
      #expect(after.0 == before.0 + 1 && after.1 == before.1 + 1, "it was read, in vain")
      #expect(client.frictionlessRecipients == [one, other])
      try await world.server { $0.consents = [other] }
      try await world.server { $0.dropAll() }
      try await settle(client)
      #expect(client.frictionlessRecipients == [other])
      try await client.signOut()
      #expect(client.frictionlessRecipients == nil)
      await client.close()
    }
  }

  @Test("2.6 a send without a dialog is the server's to allow, and its refusal renews the list")
  func sendFrictionless() async throws {
    try await withWorld { world in
      let (one, other) = (one, other)
      try await world.server { $0.consents = [one, other] }
      let client = try await world.signedIn()
      await client.keepFrictionlessRecipients()
      try await settle(client)
      #expect(try await client.sendFrictionless(request(to: [one, other]))?.request.low == 2)
      #expect(try await client.sendFrictionless(request(to: [])) == nil)
      #expect(
        try await client.sendFrictionless(request(to: [one, PlayerID(high: 5, low: 3)])) == nil)
      try await world.server { $0.consents = [other] }
      #expect(try await client.sendFrictionless(request(to: [one])) == nil)
      try await settle(client)
      #expect(client.frictionlessRecipients == [other])
      await client.close()
    }
  }

  @Test("2.6 2.9 a friendship that the player ends takes its consent out of the list")
  func endedFriendship() async throws {
    try await withWorld { world in
      let (one, other) = (one, other)
      let client = try await world.signedIn()
      await client.keepFrictionlessRecipients()
      for isBlock in [true, false] {
        try await world.server { server in
          server.consents = [one, other]
          server.append(
            ConsentChanged(sender: server.credential.player, recipient: one, isGiven: true))
        }
        try await settle(client)
        #expect(client.frictionlessRecipients == [one, other])
        try await world.server { $0.consents = [other] }
        if isBlock {
          var block = BlockPlayer()
          block.player = one
          _ = try await client.call(block)
        } else {
          var removal = RemoveFriend()
          removal.player = one
          _ = try await client.call(removal)
        }
        try await settle(client)
        #expect(client.frictionlessRecipients == [other])
      }
      await client.close()
    }
  }

  @Test("2.7 a token that came with a link is claimed right after the sign-in, once")
  func claim() async throws {
    try await withWorld { world in
      let token = InviteToken(sender: one, id: InviteTokenID(high: 3, low: 3)).description
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      let first = try await client.signIn(credential, claiming: token)
      #expect(first.session.player == credential.player)
      #expect(try first.claim.get().requestCount == 3)
      try await client.signOut()
      let second = try await client.signIn(credential, claiming: token)
      guard case .failure(let used) = second.claim else {
        Issue.record("claimed twice")
        return
      }
      #expect(used.code == .alreadyExists && client.session != nil)
      let bad = await error { () async throws(MusterError) in
        try await client.claim(inviteToken: "nonsense")
      }
      #expect(bad?.code == .notFound && bad?.argument == "token")
      #expect(try await world.server { $0.claimed.count } == 1)
      await client.close()
    }
  }

  @Test("2.7 a claim without an answer is made again when the session goes on, until there is one")
  func unansweredClaim() async throws {
    try await withWorld { world in
      let token = InviteToken(sender: one, id: InviteTokenID(high: 3, low: 4)).description
      let client = world.client()
      let credential = try await client.signUp(displayName: "Ada")
      let asked = Signal()
      try await world.server { $0.onClaim = { asked.give() } }
      let claiming = Task {
        try await client.claiming(token) { () async throws(MusterError) in
          let session = try await client.signIn(credential)
          try? await world.server { $0.isSilent = true }
          return session
        }
      }
      await asked.wait()
      claiming.cancel()
      guard case .failure = try await claiming.value.claim else {
        Issue.record("there was an answer")
        return
      }
      try await world.server { $0.isSilent = false }
      for _ in 0...1 {
        try await world.server { $0.dropAll() }
        try await settle(client)
        #expect(try await world.server { $0.claimCount } == 2, "answered by now")
      }
      await client.close()
    }
  }

  @Test("2.3 a page of the selector is filled from as many calls as it takes")
  func selector() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var selection = SelectRecipients()
      selection.limit = 4
      var pages: [[UInt64]] = []
      repeat {
        let page = try await client.selectRecipients(selection)
        pages.append(page.recipients.map(\.profile.player.low))
        selection.cursor = page.cursor
      } while !selection.cursor.isEmpty
      #expect(pages == [[1, 3, 5, 7], [9, 11, 13, 15], [17, 19]])
      await client.close()
    }
  }
}
