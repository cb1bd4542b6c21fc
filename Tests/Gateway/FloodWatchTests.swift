import GatewayCore
import Testing

@Suite struct FloodWatchTests {
  @Test("many refusals in a minute are one line, and the next minute's tells of those between")
  func flood() {
    var watch = FloodWatch()
    let told = (0..<1_000).compactMap { watch.refused(at: 5_000 + UInt64($0)) }
    #expect(told == [FloodWatch.refusalsMin])
    let later = (0..<1_000).compactMap { watch.refused(at: 65_000 + UInt64($0)) }
    #expect(later == [900 + FloodWatch.refusalsMin])
  }

  @Test("a few refusals are no flood, and none of one that comes later")
  func few() {
    var watch = FloodWatch()
    for minute in UInt64(0)..<10 {
      for _ in 0..<99 { #expect(watch.refused(at: minute * 60_000) == nil) }
    }
    let told = (0..<100).compactMap { _ in watch.refused(at: 10_000_000) }
    #expect(told == [100])
  }
}
