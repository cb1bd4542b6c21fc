import MusterKit
import Testing

@testable import muster

@Suite struct BuildsInUseTests {
  private func process(
    _ name: String, _ build: String, partition: String = "1/1", version: String = "1.0.0"
  ) -> ServiceStatus {
    .told(name, build: build, partition: partition, version: version)
  }

  private func finding(_ told: [(String, [ServiceStatus])]) -> Finding? {
    BuildsInUse.finding(told)
  }

  @Test("one build of each program is green, and named")
  func one() {
    let services = [process("request", "b", partition: "1/2"), process("request", "b")]
    let told = finding([
      ("here:1", [process("gateway", "a")] + services),
      ("here:2", [process("gateway", "a")] + services),
    ])
    #expect(
      told
        == Finding(check: .builds, verdict: .green, text: "muster-gateway a, muster-request b"))
  }

  @Test("two builds of one program are yellow, and say where each runs")
  func two() {
    let request = [
      process("request", "b", partition: "1/2"), process("request", "c", partition: "2/2"),
    ]
    let services = finding([("here:1", [process("gateway", "a")] + request)])
    #expect(services?.verdict == .yellow && services?.advice == .install)
    #expect(services?.text == "muster-request: b of 1/2 and c of 2/2")
    let gateways = finding([
      ("here:1", [process("gateway", "a")]), ("here:2", [process("gateway", "d")]),
      ("here:3", [process("gateway", "a")]),
    ])
    #expect(gateways?.verdict == .yellow)
    #expect(gateways?.text == "muster-gateway: a of here:1, here:3 and d of here:2")
  }

  @Test("a process that tells none is of another build than one that does")
  func untold() {
    let mixed = [process("request", "", partition: "1/2"), process("request", "c")]
    #expect(finding([("", mixed)])?.text == "muster-request: an untold one of 1/2 and c of 1/1")
    let some = finding([("", [process("gateway", "a"), process("request", "")])])
    #expect(some?.verdict == .unknown && some?.text == "not told by muster-request")
    let all = finding([("", [process("gateway", ""), process("request", "")])])
    #expect(all?.verdict == .unknown && all?.text == "not told by any process")
  }

  @Test("a process that does not answer has no build")
  func absent() {
    #expect(finding([]) == nil)
    #expect(finding([("", [process("request", "", version: "")])]) == nil)
    let down = process("request", "", partition: "2/2", version: "")
    #expect(finding([("", [process("request", "b"), down])])?.verdict == .green)
  }
}
