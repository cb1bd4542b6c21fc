import TestKit
import Wire

/// What a fuzzer runs for each input.
public enum FuzzedCores {
  /// Of longer scripts fewer are run in the same time.
  public static let stepsMax = 256

  /// Lets the bytes say what players, time and the network do to the cores of all services. A
  /// defect ends the process. Returns the names of the operations that were carried out.
  @discardableResult
  public static func run(_ bytes: [UInt8]) -> Set<String> {
    let deployment = FuzzedDeployment(bytes)
    deployment.settle()
    deployment.run(stepsMax: stepsMax)
    return deployment.carriedOut
  }

  /// The same with a planted defect, which a fuzzer that works finds within half a minute.
  public static func runWithCanary(_ bytes: [UInt8]) {
    FuzzedDeployment(bytes, [.context: CoreDriver<CanaryCore>()]).run(stepsMax: stepsMax)
  }
}
