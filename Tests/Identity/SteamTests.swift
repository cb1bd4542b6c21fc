import Identity
import Testing
import Wire

@Suite("Steam")
struct SteamTests {
  static let provider = SteamProvider(appID: 480, identity: "muster chess", webKey: "S3CRET/KEY")
  static let ticket = "14000000d5c1a0"
  static let player = "76561198012345678"
  static let now: Int64 = 1_700_000_000_000

  static let fields = [
    ("result", "\"OK\""), ("steamid", quoted(player)), ("ownersteamid", quoted(player)),
    ("vacbanned", "false"), ("publisherbanned", "false"),
  ]

  static func answer(_ fields: [(String, String)]) -> String {
    "{\"response\":{\"params\":\(object(fields))}}"
  }

  private func verify(
    _ answer: String, status: Int = 200, ticket: String = Self.ticket, player: String? = nil,
    by provider: SteamProvider = Self.provider
  ) throws -> SteamIdentity {
    try provider.verify(
      answer: bytes(answer), status: status, ticket: ticket, player: player, now: Self.now)
  }

  @Test("The call names ticket, game and whom the ticket is for; its description no secret")
  func call() throws {
    let call = try Self.provider.call(ticket: "14AB00ff")
    #expect(
      call.secretURL == "https://partner.steam-api.com/ISteamUserAuth/AuthenticateUserTicket/v1/"
        + "?key=S3CRET%2FKEY&appid=480&ticket=14ab00ff&identity=muster%20chess")
    for shown in ["\(call)", "\(Self.provider)", String(reflecting: call)] {
      #expect(!shown.contains("S3CRET"))
    }
    var dumped = ""
    dump(call, to: &dumped)
    dump(Self.provider, to: &dumped)
    #expect(!dumped.contains("S3CRET"))
  }

  @Test("A right answer says who the player is, and tells bans")
  func right() throws {
    let found = try verify(Self.answer(Self.fields), player: Self.player)
    #expect(found.identity.provider == "steam")
    #expect(found.identity.subject == Self.player)
    #expect(found.identity.validUntil == Self.now + 24 * 3600 * 1000)
    #expect(found.identity.proofHash == digest([0x14, 0, 0, 0, 0xd5, 0xc1, 0xa0]))
    #expect(!found.isVACBanned && !found.isPublisherBanned)
    let banned = Self.fields.with("vacbanned", "true")
    #expect(try verify(Self.answer(banned)).isVACBanned)
    let out = Self.fields.with("publisherbanned", "true")
    #expect(try verify(Self.answer(out)).isPublisherBanned)
  }

  @Test("A ticket has one hash, whatever its letters' case: a second use is seen")
  func replay() throws {
    let answer = Self.answer(Self.fields)
    let other = try verify(answer, ticket: Self.ticket.uppercased())
    #expect(try verify(answer).identity == other.identity)
  }

  @Test("A borrowed game is taken where that is allowed; the player is who plays")
  func borrowed() throws {
    let owner = "76561198087654321"
    var provider = Self.provider
    provider.allowsBorrowedGames = true
    let answer = Self.answer(Self.fields.with("ownersteamid", quoted(owner)))
    let found = try verify(answer, by: provider)
    #expect(found.identity.subject == Self.player)
    #expect(found.ownerID == owner)
  }

  @Test("An answer that says nothing of the ticket is no refusal: the client tries again")
  func outage() throws {
    let right = Self.answer(Self.fields)
    for status in [0, 201, 204, 301, 400, 401, 403, 404, 429, 500, 502, 503] {
      for answer in ["", "<html>busy</html>", right] {
        #expect(throws: IdentityError.answerStatus(status)) { try verify(answer, status: status) }
      }
    }
    let outages = [IdentityError.answerStatus(503), .answerMalformed, .answerTooLarge]
    for error in outages {
      #expect(error.isProvidersFault)
      #expect(error.failure.code == .unavailable && error.failure.retryAfterMilliseconds > 0)
    }
    let refusals = [
      IdentityError.refusedByProvider(101), .resultNotOK, .playerDiffers, .ownerDiffers,
      .ticketMalformed, .signatureWrong, .keyUnknown,
    ]
    for error in refusals {
      #expect(!error.isProvidersFault && error.failure.code == .invalidCredential)
    }
    // A wrong ticket is wrong before Steam is asked, and whatever its answer is.
    #expect(throws: IdentityError.ticketMalformed) { try verify("", status: 503, ticket: "1") }
  }

  @Test("Steam: no wrong answer or ticket is accepted")
  func forgeries() throws {
    #expect(Self.answers.count + Self.tickets.count >= 25)
    var accepted = 0
    for (answer, error) in Self.answers {
      #expect(throws: error, "\(answer.prefix(200))") {
        _ = try verify(answer)
        accepted += 1
      }
    }
    for (ticket, error) in Self.tickets {
      #expect(throws: error, "\(ticket.prefix(80))") { try Self.provider.call(ticket: ticket) }
      #expect(throws: error) {
        _ = try verify(Self.answer(Self.fields), ticket: ticket)
        accepted += 1
      }
    }
    for player in ["76561198012345679", "", "076561198012345678", Self.player + " "] {
      #expect(throws: IdentityError.playerDiffers) {
        _ = try verify(Self.answer(Self.fields), player: player)
        accepted += 1
      }
    }
    #expect(accepted == 0)
    _ = try verify(Self.answer(Self.fields))
  }

  static let tickets: [(String, IdentityError)] = [
    ("", .ticketMalformed), ("1", .ticketMalformed), ("zz", .ticketMalformed),
    ("14 0", .ticketMalformed), ("0x14", .ticketMalformed), ("14&key=1", .ticketMalformed),
    (String(repeating: "14", count: 2561), .ticketMalformed),
  ]

  static let answers: [(String, IdentityError)] = [
    ("", .answerMalformed), ("null", .answerMalformed), ("{}", .answerMalformed),
    ("<html>busy</html>", .answerMalformed), ("{\"response\":{}}", .answerMalformed),
    ("{\"response\":[]}", .answerMalformed),
    (Self.answer(fields).filled(to: 4097), .answerTooLarge),
    (Self.answer(fields) + "{}", .answerMalformed),
    (
      "{\"response\":{\"error\":{\"errorcode\":101,\"errordesc\":\"Invalid ticket\"}}}",
      .refusedByProvider(101)
    ),
    ("{\"response\":{\"error\":{}}}", .answerMalformed),
    (
      "{\"response\":{\"error\":{\"errorcode\":3},\"params\":\(object(fields))}}",
      .refusedByProvider(3)
    ),
    (changed("result", "\"Failure\""), .resultNotOK), (changed("result", "\"ok\""), .resultNotOK),
    (changed("result", nil), .answerMalformed), (changed("result", "1"), .answerMalformed),
    (changed("steamid", nil), .answerMalformed), (changed("steamid", "\"\""), .answerMalformed),
    (changed("steamid", player), .answerMalformed),
    (changed("steamid", "\"0\""), .answerMalformed),
    // No account, another universe, a group, another instance, above 64 bits, a sign before it.
    (changed("steamid", "\"76561197960265728\""), .answerMalformed),
    (changed("steamid", "\"148618791998193665\""), .answerMalformed),
    (changed("steamid", "\"103582791429521412\""), .answerMalformed),
    (changed("steamid", "\"76561202255233025\""), .answerMalformed),
    (changed("steamid", "\"184467440737095516160\""), .answerMalformed),
    (changed("steamid", "\"+76561198012345678\""), .answerMalformed),
    (changed("ownersteamid", "\"76561198087654321\""), .ownerDiffers),
    (changed("ownersteamid", nil), .answerMalformed),
    (changed("ownersteamid", "\"0\""), .answerMalformed),
    (changed("vacbanned", nil), .answerMalformed),
    (changed("vacbanned", "\"false\""), .answerMalformed),
    (changed("publisherbanned", "0"), .answerMalformed),
    (Self.answer(fields + [("steamid", "\"76561198087654321\"")]), .answerMalformed),
  ]

  private static func changed(_ name: String, _ value: String?) -> String {
    answer(fields.with(name, value))
  }
}
