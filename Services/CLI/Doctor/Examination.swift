import MusterKit

/// What the processes of a deployment have said of themselves, and what that means.
struct Examination {
  /// The gateway first. One that did not answer has an empty version.
  let processes: [ServiceStatus]
  /// This machine's clock when they were asked and when they had answered, in milliseconds since
  /// 1970: a process answered somewhere in between.
  let asked: Int64
  let answered: Int64

  var findings: [Finding] {
    [
      presence, versions, certificates, clocks, disks, effects, journals, erasures, load, reloads,
    ]
    .flatMap { $0 }
  }

  /// Those that have answered.
  var present: [ServiceStatus] { processes.filter { !$0.version.isEmpty } }
  /// Those among them that have a store.
  var services: [ServiceStatus] { present.filter { $0.name != "muster-gateway" } }

  /// What one process says of one thing.
  enum Word {
    case fine
    case notTold
    case wrong(Finding.Verdict, String, Advice)
  }

  /// One finding for each process that is not well, one for all that do not tell, and a green one
  /// where there is neither.
  func judge(
    _ check: Finding.Check, _ processes: [ServiceStatus], green: String,
    _ word: (ServiceStatus) -> Word
  ) -> [Finding] {
    var findings: [Finding] = []
    var silent: [String] = []
    for process in processes {
      switch word(process) {
      case .fine: break
      case .notTold: silent.append(process.title)
      case .wrong(let verdict, let text, let advice):
        findings.append(
          Finding(
            check: check, verdict: verdict, process: process.title, text: text, advice: advice))
      }
    }
    if let untold = Finding.untold(by: silent, of: processes.count, all: "any process") {
      findings.append(Finding(check: check, verdict: .unknown, text: untold))
    }
    return findings.isEmpty ? [Finding(check: check, verdict: .green, text: green)] : findings
  }
}

extension ServiceStatus {
  /// As in `muster-request 1/2`.
  var title: String { partition.isEmpty ? name : "\(name) \(partition)" }

  /// The value of a metric; nil where the process does not tell it.
  func value(_ metric: String) -> UInt64? { metrics.first { $0.name == metric }?.value }

  /// The series of a metric whose values are not 0.
  func raised(_ metric: String) -> [ServiceStatus.Metric] {
    metrics.filter { $0.name == metric && $0.value > 0 }
  }

  /// The series of a metric whose value is the least; nil where the process does not tell it.
  func least(_ metric: String) -> ServiceStatus.Metric? {
    metrics.filter { $0.name == metric }.min { $0.value < $1.value }
  }
}
