import Testing

@testable import ServiceKit

@Suite struct MetricsTests {
  @Test("small values are exact, an empty histogram is 0")
  func small() {
    var histogram = Histogram()
    #expect(histogram.quantile(0.5) == 0 && histogram.maximum == 0)
    for value in UInt64(0)...7 { histogram.record(value) }
    #expect(histogram.quantile(0) == 0)
    #expect(histogram.quantile(0.5) == 3)
    #expect(histogram.quantile(1) == 7 && histogram.count == 8)
  }

  @Test(
    "a quantile is at most an eighth above the value that holds it",
    arguments: [8, 9, 15, 16, 17, 100, 1000, 4095, 4096, 1 << 20, UInt64(1) << 40, .max])
  func bounds(value: UInt64) {
    var histogram = Histogram()
    histogram.record(value)
    #expect(histogram.quantile(0.5) == value, "no quantile is above the maximum")
    histogram.record(.max)
    let told = histogram.quantile(0.5)
    #expect(told >= value && told - value <= value / 8)
  }

  @Test("quantiles of many values are near those of the sorted list")
  func many() {
    var histogram = Histogram()
    var values: [UInt64] = []
    for index in UInt64(1)...10_000 {
      let value = index * 7919 % 100_003
      values.append(value)
      histogram.record(value)
    }
    values.sort()
    for share in [0.01, 0.5, 0.9, 0.99, 0.999, 1] {
      let exact = values[Int((Double(values.count) * share).rounded(.up)) - 1]
      let told = histogram.quantile(share)
      #expect(told >= exact && told <= exact + exact / 8 + 1)
    }
  }

  @Test("a snapshot has counters and each histogram's figures, by name")
  func snapshot() {
    let metrics = Metrics()
    metrics.count("b")
    metrics.counter("b").add(2)
    metrics.timer("a").record(microseconds: 5)
    #expect(
      metrics.snapshot.map(\.name) == ["a.count", "a.max_us", "a.p50_us", "a.p99_us", "b"])
    #expect(metrics.snapshot.map(\.value) == [1, 5, 5, 5, 3])
  }

  @Test("values of several loops add up to what one would have measured")
  func sum() {
    let (one, other, all) = (Metrics(), Metrics(), Metrics())
    for value in UInt64(1)...1_000 {
      for metrics in [value % 3 == 0 ? one : other, all] {
        metrics.counter("calls").add(value)
        metrics.timer("time").record(microseconds: value * value)
      }
    }
    other.count("only here")
    all.count("only here")
    var sum = one.values
    sum.add(other.values)
    #expect(sum.list.map(\.name) == all.snapshot.map(\.name))
    #expect(sum.list.map(\.value) == all.snapshot.map(\.value))
  }
}
