import CoreFuzz
import Testing

/// The fuzzer's world of all cores, with a few scripts of chance: `.ci/fuzz` runs many more.
struct CoreScriptTests {
  @Test("No script of calls, time and deliveries ends a service")
  func scripts() async {
    await #expect(processExitsWith: .success) {
      for seed in 1...8 as ClosedRange<UInt64> {
        print("seed \(seed)")
        FuzzedCores.run(bytesOfChance(seed))
      }
    }
  }

  /// A world in which every call is refused would find nothing.
  @Test("Scripts of chance carry out calls of many operations")
  func reach() {
    let names = (1...8 as ClosedRange<UInt64>).reduce(into: Set<String>()) {
      $0.formUnion(FuzzedCores.run(bytesOfChance($1)))
    }
    #expect(names.count >= 40, "\(names.sorted())")
  }
}

private func bytesOfChance(_ seed: UInt64) -> [UInt8] {
  var state = seed
  return (0..<4_000).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}
