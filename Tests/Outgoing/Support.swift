import LocalServer
import Outgoing
import Testing
import Transport

typealias Answer = Result<HTTPSResponse, HTTPSError>

/// A client with a loop that calls by it.
struct Calls: Sendable {
  let thread: LoopThread
  let client: HTTPSClient

  /// Begins calls side by side.
  func begin(_ requests: [HTTPSRequest]) async -> [Promise<Answer>] {
    let answers = requests.map { _ in Promise<Answer>() }
    await thread.run { loop in
      let caller = client.caller(on: loop)
      for (request, answer) in zip(requests, answers) { caller.call(request) { answer.set($0) } }
    }
    return answers
  }

  func callAsFunction(_ request: HTTPSRequest) async -> Answer {
    await begin([request])[0].value
  }
}

/// Bounds for tests that expect an answer: nothing but a hang takes so long.
let patient: HTTPSSettings = {
  var settings = HTTPSSettings()
  settings.authorityFile = TestAuthority.shared.file
  settings.connectMillisecondsMax = 60_000
  settings.callMillisecondsMax = 60_000
  return settings
}()

/// Bounds for tests that wait until they are over.
let impatient: HTTPSSettings = {
  var settings = patient
  settings.callMillisecondsMax = 400
  return settings
}()

/// Runs a test with a client, and sees the loop's thread end.
func withClient(
  _ settings: HTTPSSettings = patient, _ body: (Calls) async throws -> Void
) async throws {
  let calls = Calls(thread: LoopThread(name: "test"), client: try HTTPSClient(settings))
  let result: Result<Void, any Error>
  do { result = .success(try await body(calls)) } catch { result = .failure(error) }
  calls.client.stop()
  calls.thread.stop()
  await calls.thread.stopped()
  try result.get()
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension Result {
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
