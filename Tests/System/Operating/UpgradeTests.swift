import Stack
import Testing
import UpgradeRounds

extension Operating {
  /// What `make soak` does with the programs of an older commit, here with those of this one.
  @Suite struct Upgrades {
    @Test(
      "processes are replaced one by one under load, and no call is lost or doubled",
      arguments: UpgradeOrder.allCases)
    func rounds(order: UpgradeOrder) async throws {
      var options = UpgradeOptions(from: try await Programs.read(Programs.own.folder))
      options.players = 8
      options.partitions = 1
      options.secondsPerStep = 1
      options.orders = [order]
      options.goesBack = false
      let report = try await UpgradeSoak.run(options) { print($0) }
      #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
      #expect(report.isRight && report.replaced == 5)
    }
  }
}
