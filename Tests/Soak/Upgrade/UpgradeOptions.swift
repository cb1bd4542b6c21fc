package import KillRounds
package import Stack

/// How a deployment is brought from one build to another.
package struct UpgradeOptions: Sendable {
  package var players = 16
  package var partitions = 2
  package var gateways = 2
  /// Of load after each process that was replaced.
  package var secondsPerStep = 3
  package var seed = UInt64.random(in: 1 ... .max)
  package var orders = UpgradeOrder.allCases
  /// Whether the deployment is then brought back as well.
  package var goesBack = true
  package var older: Programs
  package var newer = Programs.own

  package init(from older: Programs) { self.older = older }
}

/// Which processes are replaced first. Back they go in the reverse order.
package enum UpgradeOrder: String, CaseIterable, Sendable {
  case servicesFirst = "services first"
  case gatewaysFirst = "gateways first"

  func names(of stack: Stack) -> [String] {
    switch self {
    case .servicesFirst: stack.serviceNames + stack.gatewayNames
    case .gatewaysFirst: stack.gatewayNames + stack.serviceNames
    }
  }
}

/// What was done meanwhile, and what came out wrong.
package struct UpgradeReport: Sendable {
  package var replaced = 0
  package var counts = LoadCounts()
  package var moves = 0
  package var tours = 0
  package var longestCall = Duration.zero
  package var violations: [String] = []
  /// How many violations each check finds when somebody claims too much.
  package var canaries: [Int] = []

  package var isRight: Bool {
    violations.isEmpty && !canaries.isEmpty && canaries.allSatisfy { $0 > 0 }
      && counts.acknowledged > 0 && moves > 0 && tours > 0
  }
}
