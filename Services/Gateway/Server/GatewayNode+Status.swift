import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// The status of one of the gateway's loops.
struct LoopReport: Sendable {
  var number = 0
  var isReady = false
  var uptimeSeconds: UInt64 = 0
  var metrics = MetricValues()
}

extension GatewayNode {
  /// Collects the status of the gateway and of every service's process. A process that does not
  /// answer in time is only named.
  func deploymentStatus(
    withinMilliseconds milliseconds: UInt64, _ done: @escaping ([ServiceStatus]) -> Void
  ) {
    let all = peers.all.sorted { $0.address.description < $1.address.description }
    var answers = [ServiceStatus](repeating: ServiceStatus(), count: all.count + 1)
    var open = answers.count
    func answer(_ index: Int, _ status: ServiceStatus) {
      answers[index] = status
      open -= 1
      if open == 0 { done(answers) }
    }
    gatewayStatus { answer(0, $0) }
    for (index, peer) in all.enumerated() {
      let address = peer.address
      let partition = Partition(index: address.partition, count: peers.count(of: address.service))
      control(
        Control.status, ServiceEnvelope(), at: address, deadlineMilliseconds: milliseconds
      ) { result in
        var status = ServiceStatus()
        if case .success(let body) = result, let decoded = try? ServiceStatus(decoding: body) {
          status = decoded
        } else {
          status.name = "muster-\(address.service.name)"
          status.partition = partition.description
        }
        answer(index + 1, status)
      }
    }
  }

  private func gatewayStatus(_ done: @escaping (ServiceStatus) -> Void) {
    collect { [keys = state.outline] reports in
      var status = Self.status(of: reports)
      status.keys = keys
      done(status)
    }
  }

  /// Hands over the metrics of the whole process.
  func collectMetrics(_ done: @escaping (MetricValues) -> Void) {
    collect { done(Self.sum(of: $0)) }
  }

  private static func sum(of reports: [LoopReport]) -> MetricValues {
    var sum = MetricValues()
    for report in reports { sum.add(report.metrics) }
    return sum
  }

  /// Asks every loop, this one too.
  private func collect(_ done: @escaping ([LoopReport]) -> Void) {
    var reports: [LoopReport] = []
    let count = mailboxes.count
    let answer = loop.mailbox { (report: LoopReport) in
      reports.append(report)
      if reports.count == count { done(reports) }
    }
    for mailbox in mailboxes { mailbox.send(.report(answer)) }
  }

  /// The gateway's process as one.
  private static func status(of reports: [LoopReport]) -> ServiceStatus {
    var status = ServiceStatus(of: GatewayMain.program, .whole)
    status.isReady = reports.allSatisfy(\.isReady)
    status.uptimeSeconds = reports.map(\.uptimeSeconds).max() ?? 0
    status.time = ProcessShell.clock()
    status.metrics = sum(of: reports).status
    return status
  }
}
