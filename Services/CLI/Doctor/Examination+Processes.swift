import MusterKit

extension Examination {
  /// Whether every process has answered and serves.
  var presence: [Finding] {
    judge(.processes, processes, green: "\(processes.count) answer and are ready") { process in
      if process.version.isEmpty { return absent(process) }
      // Counted for each loop, and since the start: with another process in the place it never is
      // ready.
      if !process.isReady, let count = process.value("services.misplaced"), count > 0 {
        return .wrong(
          .red, "finds another process than the configured one at an address", .orderAddresses)
      }
      return process.isReady ? .fine : .wrong(.red, "is not ready", .lookAtNotReady)
    }
  }

  /// What the gateway knows of a process that does not answer.
  private func absent(_ process: ServiceStatus) -> Word {
    let isRefused = present.flatMap(\.metrics).contains {
      $0.name == "services.refused" && "muster-\($0.label)" == process.name && $0.value > 0
    }
    return isRefused
      ? .wrong(
        .red, "does not answer; the gateway's TLS handshakes with the service fail", .acceptProcess)
      : .wrong(.red, "does not answer", .startProcess)
  }

  /// Whether all are of one version.
  var versions: [Finding] {
    let versions = Dictionary(grouping: present, by: \.version)
    if versions.count < 2 {
      let text = versions.keys.first.map { "\($0) everywhere" } ?? "nobody answers"
      return [Finding(check: .versions, verdict: .green, text: text)]
    }
    let texts = versions.sorted { $0.key < $1.key }.map { version, processes in
      "\(version) of \(processes.map(\.title).joined(separator: ", "))"
    }
    return [
      Finding(
        check: .versions, verdict: .yellow, text: texts.joined(separator: "; "), advice: .install)
    ]
  }

  /// Of each process the first to end of what its settings name: certificates, and the authority.
  var certificates: [Finding] {
    let firsts = present.compactMap { process in
      process.least("certificate.left").map { (days: $0.value / 86_400, process.title) }
    }
    let first = firsts.min { $0.days < $1.days }
    let green = first.map { "the first one to end has \($0.days) days left (\($0.1))" } ?? "none"
    return judge(.certificates, present, green: green) { process in
      guard let first = process.least("certificate.left") else { return .notTold }
      // A version before has one series, without a label.
      let setting = first.label.isEmpty ? "certificate" : first.label
      if first.value == 0 { return .wrong(.red, "its \(setting) has ended", .renewCertificate) }
      let days = first.value / 86_400
      if days >= DoctorBounds.certificateDaysYellow { return .fine }
      return .wrong(
        days < DoctorBounds.certificateDaysRed ? .red : .yellow,
        "its \(setting) ends in \(Amounts.time(milliseconds: first.value * 1000))",
        .renewCertificate)
    }
  }

  /// Whether what operators have written into files is used. A refused reload is red: a credential
  /// that somebody has revoked may still be good.
  var reloads: [Finding] {
    judge(.reloads, present, green: "what the last reloads have read is in use") { process in
      guard let changed = process.value("reload.configuration_changed") else { return .notTold }
      let refused = process.raised("reload.refused").map(\.label)
      if !refused.isEmpty {
        let parts = refused.joined(separator: " and ")
        return .wrong(
          .red, "its last reload was refused (\(parts)): its log says why", .mendFile)
      }
      if changed == 0 { return .fine }
      return .wrong(.yellow, "its configuration has changed since the start", .restartProcess)
    }
  }

  /// A key that takes most of a service's time keeps all others of the process waiting.
  var load: [Finding] {
    judge(.load, services, green: "no key takes most of a process's time") { process in
      guard let permille = process.value("loop.busiest_key") else { return .notTold }
      if permille < DoctorBounds.busyPermilleYellow { return .fine }
      return .wrong(
        .yellow, "one key takes \(permille / 10) % of the process's time", .spareBoard)
    }
  }
}
