import LocalServer
import Outgoing
import TestKit
import Testing
import Transport

@Suite("HTTPS client: its bounds", .endsAtLast)
struct HTTPSBoundsTests {
  private func requests(_ count: Int, _ server: TestServer) throws -> [HTTPSRequest] {
    try (0..<count).map { HTTPSRequest(.get, try HTTPSAddress("\(server.url)/\($0)")) }
  }

  @Test func answersEachOfManyCallsOnce() async throws {
    var settings = patient
    settings.callsMax = 6
    let server = TestServer.start { [.pause(3), .answer(200, $0.path)] }
    try await withClient(settings) { calls in
      let answers = await calls.begin(try requests(200, server))
      for (number, answer) in answers.enumerated() {
        #expect(try await answer.value.get().body == bytes("/\(number)"))
      }
      #expect(calls.client.callCount == 0)
    }
    #expect(server.requests.count == 200)
    #expect((1...6).contains(server.busyMax))
    server.stop()
  }

  @Test("a call over the bounds is refused, one that waits ends in time, and there is room again")
  func refusesWhatItCannotHold() async throws {
    var settings = impatient
    settings.callsMax = 2
    settings.waitingMax = 3
    let server = TestServer.start { _ in [.hang] }
    try await withClient(settings) { calls in
      let answers = await calls.begin(try requests(7, server))
      var failures: [HTTPSError?] = []
      for answer in answers { failures.append(await answer.value.failure) }
      #expect(failures == Array(repeating: .timedOut, count: 5) + [.busy, .busy])
      #expect(calls.client.callCount == 0)
      for answer in await calls.begin(try requests(5, server)) {
        #expect(await answer.value == .failure(.timedOut))
      }
    }
    server.stop()
  }

  @Test("a stopped client ends all its calls, and refuses new ones")
  func stops() async throws {
    var settings = patient
    settings.callsMax = 2
    let arrived = Promise<Void>()
    let server = TestServer.start { _ in [.note(arrived), .hang] }
    try await withClient(settings) { calls in
      let answers = await calls.begin(try requests(5, server))
      await arrived.value
      calls.client.stop()
      for answer in answers { #expect(await answer.value == .failure(.stopped)) }
      #expect(await calls(try requests(1, server)[0]) == .failure(.stopped))
    }
    server.stop()
  }

  @Test("a client that nobody holds ends its calls")
  func endsWithItsOwner() async throws {
    let server = TestServer.start { _ in [.hang] }
    let thread = LoopThread(name: "test")
    let answer = Promise<Answer>()
    let request = try requests(1, server)[0]
    try await thread.run { loop in
      try HTTPSClient(patient).caller(on: loop).call(request) { answer.set($0) }
    }
    #expect(await answer.value == .failure(.stopped))
    thread.stop()
    await thread.stopped()
    server.stop()
  }

  @Test("a loop that has ended gets no answers, and the client goes on")
  func outlivesALoop() async throws {
    let server = TestServer.start { $0.path == "/0" ? [.hang] : [.answer(200)] }
    try await withClient(patient) { calls in
      let short = LoopThread(name: "short")
      _ = await Calls(thread: short, client: calls.client).begin(try requests(1, server))
      short.stop()
      await short.stopped()
      let answer = await calls(try requests(2, server)[1])
      #expect(try answer.get().status == 200)
    }
    server.stop()
  }
}
