import Outgoing
import Testing
import Wire

@Suite("Push signature")
struct PushSignatureTests {
  /// The example of the scheme's own specification.
  private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private let body = bytes(#"{"test": 2432232314}"#)
  private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
  private let seconds: Int64 = 1_614_265_330

  @Test func signsAsTheSpecificationDoes() throws {
    let secrets = try #require(PushSecrets(secret))
    let found = PushSignature.sign(id: id, seconds: seconds, body: body, secrets)
    #expect(found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(PushSignature.verify(found, id: id, seconds: seconds, body: body, secrets))
    #expect(!PushSignature.verify(found, id: id, seconds: seconds + 1, body: body, secrets))
    #expect(!PushSignature.verify(found, id: id + "a", seconds: seconds, body: body, secrets))
    #expect(!PushSignature.verify(found, id: id, seconds: seconds, body: body + [32], secrets))
    for text in ["", "v1,", "v1,====", "v2" + found.dropFirst(2), String(found.dropLast())] {
      #expect(!PushSignature.verify(text, id: id, seconds: seconds, body: body, secrets))
    }
  }

  @Test("while secrets rotate, an endpoint with either of them believes the signature")
  func rotates() throws {
    let other = "whsec_" + String(repeating: "AAAA", count: 10)
    let both = try #require(PushSecrets("\(other),\(secret)"))
    let signed = PushSignature.sign(id: id, seconds: seconds, body: body, both)
    for text in [secret, other] {
      let secrets = try #require(PushSecrets(text))
      #expect(PushSignature.verify(signed, id: id, seconds: seconds, body: body, secrets))
    }
    let third = try #require(PushSecrets("whsec_" + String(repeating: "BBBB", count: 10)))
    #expect(!PushSignature.verify(signed, id: id, seconds: seconds, body: body, third))
  }

  @Test func refusesWeakSecrets() {
    for text in [
      "", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "\(secret),",
      "\(secret),\(secret),\(secret)", "\(secret)=", "\(secret)A", "\(secret)!AAA",
      "whsec_" + String(repeating: "AAAA", count: 22),
    ] { #expect(PushSecrets(text) == nil, "\(text)") }
  }

  @Test("a log shows no secret by accident")
  func showsNoSecret() throws {
    let secrets = try #require(PushSecrets(secret))
    let address = try HTTPSAddress("https://example.com/S3CRET?key=S3CRET")
    let request = HTTPSRequest(.get, address)
    var dumped = ""
    dump(secrets, to: &dumped)
    dump(address, to: &dumped)
    dump(request, to: &dumped)
    for shown in [
      dumped, "\(secrets)", "\(address)", "\(request)", String(reflecting: secrets),
      String(reflecting: address), String(reflecting: request),
    ] {
      // The bytes of the secret, as texts of lists have them.
      #expect(!shown.contains("49, 242") && !shown.contains("- 242") && !shown.contains("S3CRET"))
      #expect(!shown.contains("MfKQ9r8G"))
    }
  }

  @Test func writesTheHeaders() throws {
    var row = PushRow(
      event: EventID(high: 1, low: 2), player: PlayerID(high: 3, low: 4), attempts: 2, due: 0,
      since: 0, trace: TraceID(high: 0, low: 0xab))
    let secrets = try #require(PushSecrets(secret))
    func request() throws -> HTTPSRequest {
      PushCall.request(
        to: try HTTPSAddress("https://example.com/hook"), row, attempt: 3, body: body, secrets,
        now: seconds * 1000 + 999)
    }
    let signature = PushSignature.sign(
      id: row.event.description, seconds: seconds, body: body, secrets)
    var headers = [
      HTTPSHeader("webhook-id", row.event.description),
      HTTPSHeader("webhook-timestamp", "1614265330"), HTTPSHeader("webhook-signature", signature),
      HTTPSHeader("muster-attempt", "3"),
      HTTPSHeader("muster-trace", "000000000000000000000000000000ab"),
    ]
    #expect(try request().headers == headers)
    row.trace = TraceID()
    headers.removeLast()
    #expect(try request().headers == headers)
    let request = try request()
    #expect(request.method == .post(body, contentType: "application/json"))
  }
}
