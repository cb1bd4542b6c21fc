import Foundation
import MusterKit

// A game that speaks to the server itself. Nothing listens at its address.
let client = MusterClient(
  MusterConfiguration(host: "localhost", port: 1, game: "import-check", callDeadline: .zero))
var failure: MusterError?
do {
  try await client.signIn(try await client.signUp(displayName: "Ada"))
} catch {
  failure = error
}

/// What a player has done, told by the events of the stream.
final class Story: Sendable {
  let client: MusterClient
  init(_ client: MusterClient) { self.client = client }

  func follow() async {
    for await event in client.events {
      if let request = event.decode(RequestReceived.self)?.request { print(request.message) }
    }
  }

  func submit(_ value: Int64) async throws -> Int64 {
    var submit = SubmitScore()
    (submit.board, submit.value) = ("high-score", value)
    return try await client.call(submit).entry.value
  }
}

let following = Task { await Story(client).follow() }
await client.close()
await following.value
guard failure?.code == .deadlineExceeded, client.state == .closed else {
  print("MusterKit does not behave: \(String(describing: failure)), \(client.state)")
  exit(1)
}
print("MusterKit is there")
