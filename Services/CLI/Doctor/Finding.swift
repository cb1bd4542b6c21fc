/// What `muster doctor` says about one thing: how it is, and what to do where it is not well.
struct Finding: Equatable {
  /// What is looked at, in the order in which it is told.
  enum Check: String, CaseIterable {
    case gateway, processes, versions, certificates, clocks, disks, effects, journals, erasures,
      load, reloads, builds, keys
  }

  enum Verdict: String, CaseIterable {
    case green
    /// A process of another version does not tell it.
    case unknown
    /// Nobody misses anything yet.
    case yellow
    case red
  }

  var check: Check
  var verdict: Verdict
  /// The process that it is about, as in `muster-request 1/1`; empty for the deployment.
  var process = ""
  /// What is so, without the process.
  var text: String
  var advice: Advice?
}

/// What to do about a finding, and the place of the run book that has it as steps.
enum Advice: CaseIterable {
  case reachGateway, acceptCertificate, operatorSecret
  case startProcess, acceptProcess, lookAtNotReady, orderAddresses, install
  case mendFile, restartProcess
  case renewCertificate, setClock, waitForClock, freeDisk, lookAtDisk, restoreStore
  case restoreErasedList
  case reachReceiver, lookAtParked, spareBoard, alignKeys, putKeyBack

  var text: String {
    switch self {
    case .reachGateway: "See that the gateway runs, and that this machine reaches its port."
    case .acceptCertificate:
      "Name the authority and the name of the gateway's certificate, or renew it."
    case .operatorSecret: "Put your operator's secret into MUSTER_OPERATOR_SECRET."
    case .startProcess: "See whether its unit runs, and why it ended."
    case .acceptProcess:
      "Look why in the gateway's log, at `service refused`: a certificate, or an address."
    case .lookAtNotReady: "Its log names the service that it does not reach."
    case .orderAddresses:
      "Put the addresses in the order of the partitions, and restart the gateway."
    case .install: "Install one version everywhere, services first."
    case .mendFile: "Mend the file that its log names, and reload it again."
    case .restartProcess:
      "Its log names the settings. Ask it by --check whether it would start, and restart it."
    case .renewCertificate: "Renew the certificate, or change the authority."
    case .setClock: "Put the machine's clock right, by NTP."
    case .waitForClock:
      "If both clocks are right, wait: its time comes back by an eighth of what passes."
    case .freeDisk: "Free space or grow the disk; delete no file of a store."
    case .lookAtDisk: "Look at the disk of the store, and at what else uses it."
    case .restoreStore: "Restore the store from a backup: a part of it is damaged."
    case .restoreErasedList:
      "Add the newest copy of the list to it while the service is stopped."
    case .reachReceiver: "See which service does not take them: the sender's log names it."
    case .lookAtParked: "Look at the table parked_effect of the service's store."
    case .alignKeys: "Give all gateways the same keys-file, and reload those that have another."
    case .putKeyBack:
      "Put the line of the key back into all keys-files, unless it was given up on purpose."
    case .spareBoard: "See which operation and board it is: the process's log tells."
    }
  }

  /// The page and its heading.
  var place: (page: String, heading: String) {
    switch self {
    case .reachGateway, .startProcess, .reachReceiver: ("incidents.md", "A service is killed")
    case .acceptCertificate, .acceptProcess, .renewCertificate:
      ("incidents.md", "A certificate ends")
    case .operatorSecret, .alignKeys, .putKeyBack: ("README.md", "Secrets")
    case .lookAtNotReady: ("README.md", "When something is wrong")
    case .orderAddresses: ("incidents.md", "A wrong partition")
    case .install: ("README.md", "A new version")
    case .mendFile: ("README.md", "Certificates")
    case .restartProcess: ("README.md", "Start and stop")
    case .setClock, .waitForClock: ("incidents.md", "A clock jumps")
    case .freeDisk: ("incidents.md", "A full disk")
    case .lookAtDisk: ("incidents.md", "A stuck disk")
    case .restoreStore: ("incidents.md", "A damaged store")
    case .restoreErasedList: ("incidents.md", "A list of erased players is lost")
    case .lookAtParked: ("incidents.md", "Effects are refused")
    case .spareBoard: ("incidents.md", "A board eats a core")
    }
  }

  /// The sentence and the place, for people.
  var sentence: String { "\(text) deploy/\(place.page): \(place.heading)" }
}
