import Foundation
import MusterKit
import Testing

@Suite("Credential and errors")
struct CredentialTests {
  static let credential = Credential(
    player: PlayerID(high: 1, low: 2), device: DeviceID(high: 3, low: .max),
    secret: (0..<32).map { UInt8($0) * 7 })

  @Test("The text form and JSON give the same credential back")
  func roundTrip() throws {
    let text = Self.credential.text
    #expect(Credential(text: text) == Self.credential)
    let data = try JSONEncoder().encode([Self.credential])
    #expect(try JSONDecoder().decode([Credential].self, from: data) == [Self.credential])
    for length in 0..<text.count { #expect(Credential(text: String(text.prefix(length))) == nil) }
  }

  @Test("The secret is never printed")
  func redacted() {
    let secret = Self.credential.text.split(separator: ".").last.map(String.init) ?? ""
    var dumped = ""
    dump(Self.credential, to: &dumped)
    let texts = ["\(Self.credential)", String(reflecting: Self.credential), dumped]
    for text in texts {
      #expect(!text.contains(secret))
      #expect(!text.contains("\(Self.credential.secret)"))
      #expect(text.contains("\(Self.credential.player)"))
    }
    #expect(!dumped.contains("245"))
  }

  @Test("7.2 an error says what is wrong, where, and when to try again")
  func errors() {
    let failure = Failure(
      .rateLimited, argument: "recipients", "Too many requests.", retryAfterMilliseconds: 500)
    let error = MusterError(failure)
    #expect(error.description.contains("Too many requests."))
    #expect(error.description.contains("rateLimited"))
    #expect(error.description.contains("recipients"))
    #expect(error.retryAfter == .milliseconds(500))
    #expect(error.failure == failure)
    #expect(MusterError(.notFound, "").description == "The call failed (notFound).")
  }

  @Test("Waits are rounded up")
  func durations() {
    var policy = RetryPolicy()
    policy.delayMin = .microseconds(1)
    #expect(policy != RetryPolicy())
  }
}
