import Foundation
import LocalServer
import Outgoing
import TestKit
import Testing
import Transport

@Suite("HTTPS client", .endsAtLast)
struct HTTPSClientTests {
  private func get(_ server: TestServer, _ path: String = "/") throws -> HTTPSRequest {
    HTTPSRequest(.get, try HTTPSAddress(server.url + path))
  }

  /// What comes of one call to a server that does these steps.
  private func answer(
    _ steps: [Step], _ settings: HTTPSSettings = patient, bytesMax: Int? = nil
  ) async throws -> Answer {
    let server = TestServer.start { _ in steps }
    defer { server.stop() }
    let found = Promise<Answer>()
    try await withClient(settings) { calls in
      var request = try get(server)
      request.responseBytesMax = bytesMax
      found.set(await calls(request))
    }
    return await found.value
  }

  @Test func getsAnAnswer() async throws {
    let server = TestServer.start { _ in
      [.answer(200, "text", headers: ["Cache-Control: public, max-age=90", "Age: 30"])]
    }
    try await withClient { calls in
      let address = try HTTPSAddress("\(server.url)/path?a%20b=c%26d%3D%C3%A9")
      let request = HTTPSRequest(.get, address, headers: [HTTPSHeader("x-name", "value: 1")])
      let answer = await calls(request)
      #expect(
        answer == .success(HTTPSResponse(status: 200, body: bytes("text"), freshSeconds: 60)))
    }
    let request = try #require(server.requests.first)
    #expect(request.method == "GET" && request.path == "/path?a%20b=c%26d%3D%C3%A9")
    #expect(request.headers["x-name"] == "value: 1")
    #expect(request.headers["host"] == "localhost:\(server.port)")
    server.stop()
  }

  @Test(arguments: [0, 1, 100, 200_000])
  func postsABody(_ count: Int) async throws {
    let server = TestServer.start { _ in [.answer(204)] }
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try await withClient { calls in
      let request = HTTPSRequest(
        .post(body, contentType: "application/json"), try HTTPSAddress(server.url))
      #expect(await calls(request) == .success(HTTPSResponse(status: 204)))
    }
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.body == body)
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["expect"] == nil)
    server.stop()
  }

  @Test(arguments: [400, 404, 429, 500, 503])
  func returnsEveryStatus(_ status: Int) async throws {
    let found = try await answer([.answer(status, "why", headers: ["Retry-After: 7"])])
    #expect(
      found
        == .success(HTTPSResponse(status: status, body: bytes("why"), retryAfterSeconds: 7)))
  }

  @Test func readsDatesOfRetryAfter() async throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let later = formatter.string(from: Date(timeIntervalSinceNow: 1000))
    let found = try await answer([.answer(503, headers: ["Retry-After: \(later)"])])
    #expect((1...1000).contains(try #require(try found.get().retryAfterSeconds)))
    let past = "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"
    #expect(try await answer([.answer(503, headers: [past])]).get().retryAfterSeconds == nil)
  }

  @Test func givesUpAHangingServer() async throws {
    #expect(try await answer([.hang], impatient) == .failure(.timedOut))
    let begun = Step.send(bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
    #expect(try await answer([begun, .hang], impatient) == .failure(.timedOut))
  }

  @Test func givesUpAServerThatDrips() async throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
    let drip = Step.drip(bytes(text) + Array(repeating: 1, count: 5000), milliseconds: 10)
    #expect(try await answer([drip], impatient) == .failure(.timedOut))
  }

  @Test func noticesAnEndInTheMiddle() async throws {
    for text in ["", "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
      let found = try await answer([.send(bytes(text)), .close])
      guard case .failure(.broken) = found else {
        Issue.record("\(text): \(found)")
        continue
      }
    }
    guard case .failure(.broken) = try await answer([.send(bytes("SSH-2.0-server\r\n")), .close])
    else {
      Issue.record("what is not HTTP is an answer")
      return
    }
  }

  @Test func readsNoMoreThanItMay() async throws {
    let large = String(repeating: "a", count: 10_000)
    let right = try await answer([.answer(200, large)], bytesMax: 10_000)
    #expect(try right.get().body.count == 10_000)
    #expect(try await answer([.answer(200, large)], bytesMax: 9_999) == .failure(.tooLarge))
    let server = TestServer.start { _ in [.answer(200, large)] }
    defer { server.stop() }
    var cut = try get(server)
    cut.cutsBody = true
    for count in [0, 1, 9_999, 10_000] {
      cut.responseBytesMax = count
      let request = cut
      try await withClient { calls in
        let body = Array(bytes(large).prefix(count))
        #expect(await calls(request) == .success(HTTPSResponse(status: 200, body: body)))
      }
    }
    let endless = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunk = "1000\r\n\(String(repeating: "b", count: 4096))\r\n"
    let chunks = String(repeating: chunk, count: 1000)
    let found = try await answer([.send(bytes(endless)), .send(bytes(chunks)), .hang])
    #expect(found == .failure(.tooLarge))
    let lines = Array(repeating: "X-Long: \(String(repeating: "c", count: 1000))", count: 40)
    #expect(try await answer([.answer(200, headers: lines), .hang]) == .failure(.tooLarge))
  }

  @Test func followsNoRedirect() async throws {
    let other = TestServer.start { _ in [.answer(200)] }
    let found = try await answer([.answer(302, headers: ["Location: \(other.url)/"])])
    #expect(try found.get().status == 302)
    let plain = try await answer([.answer(301, headers: ["Location: http://localhost/"])])
    #expect(try plain.get().status == 301)
    #expect(other.requests.isEmpty)
    other.stop()
  }

  @Test func keepsNeitherConnectionsNorCookies() async throws {
    let server = TestServer.start { _ in [.answer(200, headers: ["Set-Cookie: a=b; Path=/"])] }
    try await withClient { calls in
      for _ in 0..<5 {
        let answer = await calls(try get(server))
        #expect(try answer.get().status == 200)
      }
    }
    #expect(server.requests.count == 5)
    #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    #expect(server.connectionCount == 5)
    server.stop()
  }

  @Test("an answer that comes twice is not that of the next call", arguments: [false, true])
  func leavesOutDoubles(isLate: Bool) async throws {
    let doubled = Promise<Void>()
    let server = TestServer.start { request in
      if request.path != "/1" { return [.answer(200, request.path)] }
      let one = Step.bytes(200, "/1")
      if isLate { return [.send(one), .pause(30), .send(one), .note(doubled)] }
      return [.send(one + one), .note(doubled)]
    }
    try await withClient { calls in
      let first = await calls(try get(server, "/1"))
      #expect(try first.get().body == bytes("/1"))
      await doubled.value
      for path in ["/2", "/3"] {
        let answer = await calls(try get(server, path))
        #expect(try answer.get().body == bytes(path))
      }
    }
    server.stop()
  }
}
