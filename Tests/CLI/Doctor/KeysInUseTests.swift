import MusterKit
import Testing

@testable import muster

@Suite struct KeysInUseTests {
  private func gateway(_ keys: [String], version: String = "1.0.0") -> ServiceStatus {
    .told("gateway", keys: keys, version: version)
  }

  private func finding(_ told: [(String, [ServiceStatus])]) -> Finding? {
    KeysInUse.finding(told)
  }

  @Test("the same keys are green; one gateway is compared with nobody")
  func same() {
    let lines = ["key tokens 1 aa current", "operator alice bb"]
    let service = ServiceStatus.told("request")
    #expect(finding([("here:1", [gateway(lines), service])]) == nil)
    let two = finding([
      ("here:1", [gateway(lines), service]), ("here:2", [gateway(lines), service]),
    ])
    #expect(two == Finding(check: .keys, verdict: .green, text: "the same at all 2 gateways"))
  }

  @Test("another key, number, generation or operator is red, and says who has which")
  func different() {
    let common = "key pairs 1 cc current"
    let told = finding([
      ("here:1", [gateway([common, "key tokens 1 aa current"])]),
      ("here:2", [gateway([common, "key tokens 1 ab current", "game-server 1 1 chess"])]),
      ("here:3", [gateway([common])]),
    ])
    #expect(told?.verdict == .red && told?.advice == .alignKeys)
    #expect(
      told?.text == "not the same: here:1 has key tokens 1 aa current; "
        + "here:2 has key tokens 1 ab current, game-server 1 1 chess; here:3 has none of these")
    // What one has besides is enough.
    let more = finding([
      ("here:1", [gateway([common])]), ("here:2", [gateway([common, "operator alice bb"])]),
    ])
    #expect(
      more?.text == "not the same: here:2 has operator alice bb; here:1 has none of these",
      "what it has none of is told before")
  }

  @Test("one that does not tell hides no difference between those that do")
  func differentBesideUntold() {
    let told = finding([
      ("here:1", [gateway([])]), ("here:2", [gateway(["a"])]), ("here:3", [gateway(["b"])]),
      ("here:4", [gateway([])]),
    ])
    #expect(told?.verdict == .red && told?.advice == .alignKeys)
    #expect(
      told?.text == "not the same: here:2 has a; here:3 has b; not told by here:1, here:4")
  }

  @Test("a gateway of a version that does not tell is not known; one that is away is left out")
  func untold() {
    let one = finding([("here:1", [gateway(["key"])]), ("here:2", [gateway([])])])
    #expect(one?.verdict == .unknown && one?.text == "not told by here:2")
    let all = finding([("here:1", [gateway([])]), ("here:2", [gateway([])])])
    #expect(all?.text == "not told by any gateway")
    let alike = finding([
      ("here:1", [gateway(["key"])]), ("here:2", [gateway([])]), ("here:3", [gateway(["key"])]),
    ])
    #expect(alike?.verdict == .unknown && alike?.text == "not told by here:2")
    #expect(finding([("here:1", [gateway(["key"])]), ("", [gateway([], version: "")])]) == nil)
  }
}
