import MusterKit
import Testing

@testable import muster

/// What the doctor makes of what processes say of themselves.
@Suite struct ExaminationTests {
  private static let now: Int64 = 1_795_783_669_784

  /// A process that is well, but for what is changed.
  private static func process(
    _ name: String, _ metrics: [String: UInt64] = [:], time: Int64 = now
  ) -> ServiceStatus {
    var process = ServiceStatus()
    (process.name, process.partition) = ("muster-\(name)", "1/1")
    (process.version, process.isReady, process.time) = ("1.0.0", true, time)
    var values: [String: UInt64] = [
      "certificate.left": 90 * 86_400, "reload.configuration_changed": 0,
    ]
    if name != "gateway" {
      values.merge([
        "disk.free": 50 << 30, "disk.total": 100 << 30, "storage.full": 0, "commits.waiting": 0,
        "effects.open": 0, "effects.oldest_open": 0, "effects.parked": 0, "journal.age": 900,
        "loop.busiest_key": 20, "erasures.unlisted": 0,
      ]) { $1 }
    }
    values.merge(metrics) { $1 }
    process.metrics = values.sorted { $0.key < $1.key }.map { name, value in
      var metric = ServiceStatus.Metric()
      (metric.name, metric.value) = (name, value)
      return metric
    }
    return process
  }

  private func findings(_ processes: [ServiceStatus], asked: Int64 = now, answered: Int64 = now)
    -> [Finding]
  {
    Examination(processes: processes, asked: asked, answered: answered).findings
  }

  private func findings(of check: Finding.Check, _ processes: [ServiceStatus]) -> [Finding] {
    findings(processes).filter { $0.check == check }
  }

  @Test("a deployment that is well has a green line for each check, and nothing to do")
  func well() {
    let all = findings([Self.process("gateway"), Self.process("request")])
    let own = Finding.Check.allCases.filter { ![.gateway, .builds, .keys].contains($0) }
    #expect(all.map(\.check) == own)
    #expect(all.allSatisfy { $0.verdict == .green && $0.advice == nil && $0.process.isEmpty })
    #expect(all[0].text == "2 answer and are ready" && all[1].text == "1.0.0 everywhere")
    #expect(all[2].text == "the first one to end has 90 days left (muster-gateway 1/1)")
    #expect(all[4].text == "50 GiB are free or more")
  }

  @Test("a process that does not answer, or is not ready, is red and named")
  func absent() {
    var (down, starting) = (Self.process("request"), Self.process("gateway"))
    down.version = ""
    starting.isReady = false
    var misplaced = Self.process("gateway", ["services.misplaced": 2])
    misplaced.isReady = false
    for (process, text, advice) in [
      (down, "does not answer", Advice.startProcess),
      (starting, "is not ready", .lookAtNotReady),
      (
        misplaced, "finds another process than the configured one at an address", .orderAddresses
      ),
    ] {
      let told = findings(of: .processes, [Self.process("context"), process])
      #expect(told.map(\.verdict) == [.red] && told.map(\.text) == [text])
      #expect(told[0].process == process.title && told[0].advice == advice)
    }
    // A process that is gone is asked for nothing else, and one that came back is well.
    #expect(findings([Self.process("gateway"), down]).count { $0.verdict != .green } == 1)
    #expect(
      findings(of: .processes, [Self.process("gateway", ["services.misplaced": 2])])[0].verdict
        == .green)
  }

  @Test("a process that the gateway does not accept, or that does not accept it, is told apart")
  func refused() {
    var (request, context) = (Self.process("request"), Self.process("context"))
    (request.version, context.version) = ("", "")
    var gateway = Self.process("gateway")
    for (label, value) in [("request", 2), ("context", 0)] as [(String, UInt64)] {
      var metric = ServiceStatus.Metric()
      (metric.name, metric.label, metric.value) = ("services.refused", label, value)
      gateway.metrics.append(metric)
    }
    let told = findings(of: .processes, [gateway, request, context])
    #expect(told.map(\.advice) == [.acceptProcess, .startProcess])
    #expect(
      told.map(\.text) == [
        "does not answer; the gateway's TLS handshakes with the service fail", "does not answer",
      ])
  }

  @Test("two versions are yellow, and say who has which")
  func versions() {
    var newer = Self.process("request")
    newer.version = "1.1.0"
    let told = findings(of: .versions, [Self.process("gateway"), newer, Self.process("context")])
    #expect(told.map(\.verdict) == [.yellow] && told[0].advice == .install)
    #expect(
      told[0].text
        == "1.0.0 of muster-gateway 1/1, muster-context 1/1; 1.1.0 of muster-request 1/1")
  }

  @Test(
    "a number is green, yellow or red by its bound",
    arguments: [
      ("certificate.left", 14 * 86_400, Finding.Verdict.green),
      ("certificate.left", 14 * 86_400 - 1, .yellow), ("certificate.left", 3 * 86_400, .yellow),
      ("certificate.left", 3 * 86_400 - 1, .red), ("certificate.left", 0, .red),
      ("disk.free", 10 << 30, .green), ("disk.free", (10 << 30) - (1 << 30), .yellow),
      ("disk.free", 256 << 20, .yellow), ("disk.free", (256 << 20) - 1, .red),
      ("storage.full", 1, .red), ("store.unreadable", 0, .green), ("store.unreadable", 1, .red),
      ("commits.waiting", 4_999, .green),
      ("commits.waiting", 5_000, .red), ("effects.parked", 1, .yellow),
      ("effects.waiting_for_upgrade", 1, .yellow), ("journal.age", 300_000, .green),
      ("journal.age", 300_001, .yellow), ("loop.busiest_key", 499, .green),
      ("loop.busiest_key", 500, .yellow), ("erasures.unlisted", 1, .red), ("clock.ahead", 1, .red),
      ("clock.lead", 300_000, .green), ("clock.lead", 300_001, .yellow),
      ("reload.configuration_changed", 1, .yellow), ("reload.refused", 0, .green),
    ] as [(String, UInt64, Finding.Verdict)])
  func bounds(_ metric: String, _ value: UInt64, _ verdict: Finding.Verdict) {
    let all = findings([Self.process("gateway"), Self.process("request", [metric: value])])
    let worse = all.filter { $0.verdict != .green }
    #expect(worse.map(\.verdict) == (verdict == .green ? [] : [verdict]))
    #expect(worse.allSatisfy { $0.process == "muster-request 1/1" && $0.advice != nil })
  }

  @Test("who is past the clock is red where that was set back, and waits where it is right")
  func clockLead() {
    let processes = [
      Self.process("gateway", ["clock.lead": 3_600_000], time: Self.now - 3_600_000),
      Self.process("request", ["clock.lead": 3_600_000]), Self.process("context"),
    ]
    let told = findings(of: .clocks, processes)
    #expect(told.map(\.verdict) == [.red, .yellow])
    #expect(told.map(\.advice) == [.setClock, .waitForClock])
    #expect(told.map(\.process) == ["muster-gateway 1/1", "muster-request 1/1"])
  }

  @Test("clocks that are all off alike hide no process that does not use its own")
  func commonClockAndLead() {
    let time = Self.now - 2_000
    let told = findings(
      of: .clocks,
      [
        Self.process("gateway", time: time),
        Self.process("context", ["clock.ahead": 60], time: time),
        Self.process("request", ["clock.lead": 3_600_000], time: time),
      ])
    #expect(told.map(\.verdict) == [.red, .yellow, .yellow])
    #expect(told.map(\.process) == ["muster-context 1/1", "muster-request 1/1", ""])
  }

  @Test(
    "of what ends, the first is told by the setting that names it",
    arguments: [
      ([("certificate", 90), ("authority", 90)], Finding.Verdict.green, "90 days left"),
      ([("certificate", 13), ("authority", 2)], .red, "its authority ends in 2 days"),
      (
        [("authority", 400), ("certificate", 90), ("client-certificate", 13)], .yellow,
        "its client-certificate ends in 13 days"
      ),
      ([("certificate", 0), ("authority", 9)], .red, "its certificate has ended"),
    ] as [([(String, UInt64)], Finding.Verdict, String)])
  func ends(_ days: [(String, UInt64)], _ verdict: Finding.Verdict, _ text: String) {
    var process = Self.process("gateway")
    process.metrics = days.map { setting, days in
      var metric = ServiceStatus.Metric()
      (metric.name, metric.label, metric.value) = ("certificate.left", setting, days * 86_400)
      return metric
    }
    let told = findings(of: .certificates, [process])
    #expect(told.map(\.verdict) == [verdict] && told[0].text.contains(text), "\(told)")
  }

  @Test(
    "a refused reload is red, and says what of it was refused, whatever else has changed",
    arguments: [
      (["keys": 1, "certificates": 0], "keys"), (["certificates": 1], "certificates"),
      (["keys": 1, "certificates": 1], "certificates and keys"),
    ] as [([String: UInt64], String)])
  func refusedReload(_ parts: [String: UInt64], _ words: String) {
    var process = Self.process("gateway", ["reload.configuration_changed": 1])
    process.metrics += parts.sorted { $0.key < $1.key }.map { part, value in
      var metric = ServiceStatus.Metric()
      (metric.name, metric.label, metric.value) = ("reload.refused", part, value)
      return metric
    }
    let told = findings(of: .reloads, [Self.process("request"), process])
    #expect(told.map(\.verdict) == [.red] && told[0].advice == .mendFile)
    #expect(told[0].text == "its last reload was refused (\(words)): its log says why")
    #expect(told[0].process == "muster-gateway 1/1")
  }

  @Test(
    "an effect counts by its age, while it is open",
    arguments: [
      (1, 60_000, Finding.Verdict.green), (1, 60_001, .yellow), (9, 600_001, .red),
      (0, 700_000, .green),
    ] as [(UInt64, UInt64, Finding.Verdict)])
  func effects(_ open: UInt64, _ age: UInt64, _ verdict: Finding.Verdict) {
    let process = Self.process("request", ["effects.open": open, "effects.oldest_open": age])
    #expect(findings(of: .effects, [process]).map(\.verdict) == [verdict])
  }

  @Test("a small disk of which a tenth is free is yellow all the same below a gibibyte")
  func smallDisk() {
    let process = Self.process("request", ["disk.free": 900 << 20, "disk.total": 1 << 30])
    let told = findings(of: .disks, [process])
    #expect(told.map(\.verdict) == [.yellow] && told[0].text == "900 MiB of 1024 MiB are free")
  }

  @Test(
    "clocks are compared with the time between question and answer",
    arguments: [
      (0, Finding.Verdict.green, ""), (200, .green, ""), (-1_000, .green, ""),
      (-1_001, .yellow, "its clock is 1 s behind this machine's"),
      (200 + 1_001, .yellow, "its clock is 1 s ahead of this machine's"),
      (200 + 30_001, .red, "its clock is 30 s ahead of this machine's"),
      (-86_400_000, .red, "its clock is 24 h behind this machine's"),
    ] as [(Int64, Finding.Verdict, String)])
  func clocks(_ offset: Int64, _ verdict: Finding.Verdict, _ text: String) {
    let processes = [
      Self.process("gateway", time: Self.now + 100),
      Self.process("request", time: Self.now + offset),
    ]
    let told = findings(processes, asked: Self.now, answered: Self.now + 200)
      .filter { $0.check == .clocks }
    #expect(told.map(\.verdict) == [verdict])
    if verdict != .green {
      #expect(told[0].text == text && told[0].process == "muster-request 1/1")
    }
  }

  @Test("clocks that are all off alike are told of once: this machine's may be the wrong one")
  func commonClock() {
    let told = findings(
      of: .clocks,
      [
        Self.process("gateway", time: Self.now - 40_000),
        Self.process("request", time: Self.now - 40_900),
      ])
    #expect(told.map(\.verdict) == [.red] && told[0].process.isEmpty)
    #expect(told[0].text == "the clocks of all processes are 40 s behind this machine's")
  }

  @Test("what a process does not tell is a line of its own, and no reason to get up")
  func unknown() {
    var older = Self.process("request")
    older.metrics = older.metrics.filter { $0.name == "effects.open" }
    older.time = 0
    let all = findings([Self.process("gateway"), older])
    let unknown = all.filter { $0.verdict == .unknown }
    #expect(
      unknown.map(\.check) == [
        .certificates, .clocks, .disks, .journals, .erasures, .load, .reloads,
      ])
    #expect(unknown.first?.text == "not told by muster-request 1/1")
    #expect(unknown.first { $0.check == .load }?.text == "not told by any process")
    #expect(all.allSatisfy { $0.verdict == .green || $0.verdict == .unknown })
  }
}
