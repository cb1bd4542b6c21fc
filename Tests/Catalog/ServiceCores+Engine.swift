public import Domain
import Wire

extension ServiceCores {
  /// An engine around a core without rows, to ask what the two declare.
  public static func engine(of core: any ServiceCore.Type) -> Engine {
    Engine(
      core: core.init(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0, clock: 0,
      random: .seeded(0))
  }
}
