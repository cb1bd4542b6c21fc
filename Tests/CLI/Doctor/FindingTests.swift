import Foundation
import MusterKit
import Terminal
import Testing

@testable import muster

@Suite struct FindingTests {
  private static func page(_ name: String) throws -> String {
    let deploy = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy")
    return try String(contentsOf: deploy.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("every advice leads to a heading that the run book has", arguments: Advice.allCases)
  func places(_ advice: Advice) throws {
    let lines = try Self.page(advice.place.page).split(separator: "\n")
    #expect(lines.contains("## \(advice.place.heading)"), "\(advice)")
  }

  @Test("a finding is a line, with what to do below it; colours only where they are on")
  func lines() {
    let finding = Finding(
      check: .disks, verdict: .red, process: "muster-request 1/1", text: "is\u{1b}[2J full",
      advice: .freeDisk)
    #expect(
      finding.lines(Paint(isOn: false)) == [
        "red      disks         muster-request 1/1: is\u{fffd}[2J full",
        "                       Free space or grow the disk; delete no file of a store. "
          + "deploy/incidents.md: A full disk",
      ])
    let green = Finding(check: .versions, verdict: .green, text: "1.0.0 everywhere")
    #expect(
      green.lines(Paint(isOn: true)) == [
        "\u{1b}[32mgreen  \u{1b}[0m  versions      1.0.0 everywhere"
      ])
  }

  @Test("programs read a finding as an object")
  func tree() {
    let finding = Finding(
      check: .effects, verdict: .yellow, process: "muster-request 1/1", text: "some",
      advice: .lookAtParked)
    #expect(
      JSONText.of(finding.tree)
        == #"{"check":"effects","verdict":"yellow","process":"muster-request 1/1","text":"some","#
        + #""advice":"Look at the table parked_effect of the service's store.","#
        + #""page":"incidents.md","heading":"Effects are refused"}"#)
  }

  @Test(
    "why a gateway could not be asked is told by the first step that failed",
    arguments: [
      (
        MusterError(
          .deadlineExceeded,
          "The server could not be reached in time: cannot connect: x: Name or service not known."),
        UnreachedGateway.lookUp
      ),
      (
        MusterError(
          .deadlineExceeded,
          "The server could not be reached in time: cannot connect: Connection refused."), .connect
      ),
      (MusterError(.deadlineExceeded, "… in time: no answer."), .connect),
      (MusterError(.deadlineExceeded, "… reached, but no session began in time."), .answer),
      (
        MusterError(
          .deadlineExceeded,
          "… handshake failed: certificate verify failed: certificate has expired."),
        .certificate
      ),
      (MusterError(.deadlineExceeded, "… handshake failed: unsupported protocol."), .handshake),
      (MusterError(.invalidCredential, "The operator's secret is wrong."), .signIn),
      (MusterError(.invalidArgument, argument: "trust", "/x.pem: No such file"), .certificate),
      (MusterError(.unavailable, "It takes no calls."), .answer),
    ])
  func steps(_ error: MusterError, _ step: UnreachedGateway) {
    #expect(UnreachedGateway(error) == step)
    let finding = step.finding(error, gateway: "here:7400")
    #expect(finding.verdict == .red && finding.advice == step.advice)
    #expect(finding.text == "\(step.rawValue) failed: \(error.text)")
  }

  @Test(
    "times and sizes are told in a unit that fits",
    arguments: [
      (Amounts.time(milliseconds: 900), "900 ms"), (Amounts.time(milliseconds: 119_999), "119 s"),
      (Amounts.time(milliseconds: 120_000), "2 min"),
      (Amounts.time(milliseconds: 7_200_000), "2 h"),
      (Amounts.time(milliseconds: 172_800_000), "2 days"), (Amounts.size(10_239), "10239 bytes"),
      (Amounts.size(10_240), "10 KiB"), (Amounts.size(50 << 30), "50 GiB"),
      (Amounts.size(.max), "16777215 TiB"),
    ])
  func amounts(_ text: String, _ expected: String) { #expect(text == expected) }
}
