import Domain
import Operations
import Testing
import Wire

@testable import ServiceKit

@Suite struct HistogramTests {
  @Test("small values are exact, an empty histogram is 0")
  func small() {
    var histogram = Histogram()
    #expect(histogram.quantile(0.5) == 0 && histogram.maximum == 0)
    for value in UInt64(0)...7 { histogram.record(value) }
    #expect(histogram.quantile(0) == 0)
    #expect(histogram.quantile(0.5) == 3)
    #expect(histogram.quantile(1) == 7 && histogram.count == 8 && histogram.sum == 28)
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

  @Test("packed histograms add up to that of all their values")
  func packed() {
    var (one, other, all) = (Histogram(), Histogram(), Histogram())
    for value in UInt64(1)...1_000 {
      if value % 3 == 0 { one.record(value * value) } else { other.record(value * value) }
      all.record(value * value)
    }
    var sum = one.packed
    sum.add(PackedHistogram())
    sum.add(other.packed)
    #expect(sum == all.packed && sum.count == 1_000)
    one.add(other)
    #expect(one.packed == all.packed && one.count == 1_000 && one.sum == all.sum)
    all.clear()
    #expect(all.packed == PackedHistogram() && all.count == 0 && all.sum == 0)
  }
}

/// What the windows hold, second by second.
@Suite struct WindowedHistogramTests {
  @Test("a value is in the last minute for a minute, and ten seconds at most besides")
  func minute() {
    var histogram = WindowedHistogram()
    histogram.record(5)
    for _ in 0..<WindowedHistogram.slicesPerMinute {
      #expect(histogram.values.minute.count == 1)
      histogram.turn()
    }
    #expect(histogram.values.minute.count == 1)
    histogram.turn()
    #expect(histogram.values.minute.count == 0 && histogram.values.minute.maximum == 0)
    #expect(histogram.values.hour.maximum == 5)
  }

  @Test("a value is in the last hour for an hour, and five minutes at most besides")
  func hour() {
    let slicesPerHour = WindowedHistogram.slicesPerPart * WindowedHistogram.partsPerHour
    var histogram = WindowedHistogram()
    histogram.record(5)
    var seen = 0
    while histogram.values.hour.count == 1 {
      seen += 1
      histogram.turn()
    }
    #expect(seen > slicesPerHour && seen <= slicesPerHour + WindowedHistogram.slicesPerPart)
    #expect(histogram.values.count == 1 && histogram.values.sum == 5, "the whole is kept")
  }

  @Test("nothing is counted twice or lost between slices, and the old goes value by value")
  func slices() {
    var histogram = WindowedHistogram()
    for slice in UInt64(0)..<1_000 {
      histogram.record(slice)
      let values = histogram.values
      #expect(values.count == slice + 1 && values.minute.count == min(slice + 1, 7))
      #expect(values.minute.maximum == slice && values.hour.maximum == slice)
      histogram.turn()
    }
  }
}

@Suite struct MetricsTests {
  private enum Colour: CaseIterable { case red, green }

  private static let calls = CounterMetric("calls", help: "Calls.")
  private static let size = GaugeMetric("size", .bytes, help: "Size.")
  private static let time = DistributionMetric("time", .microseconds, help: "Time.")
  private static let seen = CounterMetric(
    "seen", by: MetricLabel("colour", casesOf: Colour.self), help: "Seen.")
  private static let list = MetricList(
    counters: [calls, seen], gauges: [size], distributions: [time])

  @Test("an operator sees each metric with its unit, and of a label what there was")
  func status() {
    let metrics = Metrics(Self.list)
    metrics.counter(Self.calls).add(2)
    metrics.counter(Self.seen, "green").add()
    metrics.gauge(Self.size).set(7)
    for value in UInt64(1)...4 { metrics.distribution(Self.time).record(value) }
    let status = metrics.values.status
    #expect(status.map(\.name) == ["calls", "seen", "size", "time"])
    #expect(status.map(\.label) == ["", "green", "", ""])
    #expect(status.map(\.value) == [2, 1, 7, 4])
    #expect(status.map(\.unit) == ["count", "count", "bytes", "microseconds"])
    #expect(status[3].windows.map(\.seconds) == [60, 3600])
    #expect(status[3].windows.allSatisfy { $0.count == 4 && $0.median == 2 && $0.maximum == 4 })
  }

  @Test("of series with labels what never happened is left out, and what is told at 0 is not")
  func zeros() {
    let label = MetricLabel("of", nil)
    let rows = GaugeMetric("rows", by: label, help: "Rows.")
    let left = GaugeMetric("left", by: label, isToldAtZero: true, help: "Left.")
    let metrics = Metrics(MetricList(gauges: [rows, left]))
    #expect(metrics.values.status.isEmpty, "nothing was said of any")
    metrics.gauge(rows, "a").set(0)
    metrics.gauge(left, "a").set(0)
    #expect(metrics.values.status.map(\.name) == ["left"])
  }

  @Test("values of several loops add up to what one would have measured")
  func sum() {
    let (one, other, all) = (Metrics(Self.list), Metrics(Self.list), Metrics(Self.list))
    for value in UInt64(1)...1_000 {
      for metrics in [value % 3 == 0 ? one : other, all] {
        metrics.counter(Self.calls).add(value)
        metrics.distribution(Self.time).record(value * value)
        if value % 100 == 0 { metrics.turn() }
      }
    }
    other.counter(Self.seen, "red").add()
    all.counter(Self.seen, "red").add()
    var sum = MetricValues()
    sum.add(one.values)
    sum.add(other.values)
    #expect(sum.status.map(\.name) == all.values.status.map(\.name))
    #expect(sum.status.map(\.value) == all.values.status.map(\.value))
    #expect(sum.status.last?.windows[1] == all.values.status.last?.windows[1])
  }

  @Test("a metric that is not declared cannot be used, nor a value that its label has not")
  func undeclared() async {
    await #expect(processExitsWith: .failure) {
      _ = Metrics(MetricsTests.list).counter(CounterMetric("others", help: "Others."))
    }
    await #expect(processExitsWith: .failure) {
      _ = Metrics(MetricsTests.list).counter(MetricsTests.seen, "blue")
    }
    await #expect(processExitsWith: .failure) {
      _ = Metrics(MetricsTests.list + MetricsTests.list)
    }
  }
}

@Suite struct PrometheusTextTests {
  private static let calls = CounterMetric(
    "calls.late", by: MetricLabel("cause", ["a", "b"]), help: "Some \\ calls.")
  private static let held = GaugeMetric("held_bytes", .bytes, help: "Held.")
  private static let time = DistributionMetric("commits.time", .milliseconds, help: "Time.")
  private static let table = GaugeMetric("rows", by: MetricLabel("table", nil), help: "Rows.")

  @Test("the text is what the format says: base units, a type for each name, escaped labels")
  func text() {
    let metrics = Metrics(
      MetricList(
        counters: [Self.calls], gauges: [Self.held, Self.table], distributions: [Self.time]))
    metrics.counter(Self.calls, "b").add(3)
    metrics.gauge(Self.held).set(12)
    metrics.gauge(Self.table, "a\"b\n").set(1)
    for value in [1, 2, 3_500] as [UInt64] { metrics.distribution(Self.time).record(value) }
    let text = PrometheusText.text(metrics.values, of: ["service": "context", "partition": "1/2"])
    let all = #"service="context",partition="1/2""#
    #expect(
      text == #"""
        # HELP muster_calls_late_total Some \\ calls.
        # TYPE muster_calls_late_total counter
        muster_calls_late_total{\#(all),cause="a"} 0
        muster_calls_late_total{\#(all),cause="b"} 3
        # HELP muster_commits_time_seconds Time.
        # TYPE muster_commits_time_seconds summary
        muster_commits_time_seconds{\#(all),quantile="0.5"} 0.002
        muster_commits_time_seconds{\#(all),quantile="0.99"} 3.5
        muster_commits_time_seconds{\#(all),quantile="1"} 3.5
        muster_commits_time_seconds_sum{\#(all)} 3.503
        muster_commits_time_seconds_count{\#(all)} 3
        # HELP muster_held_bytes Held.
        # TYPE muster_held_bytes gauge
        muster_held_bytes{\#(all)} 12
        # HELP muster_rows Rows.
        # TYPE muster_rows gauge
        muster_rows{\#(all),table="a\"b\n"} 1

        """#)
  }

  @Test("a minute without a value has no quantiles, and keeps its count")
  func empty() {
    let metrics = Metrics(MetricList(distributions: [Self.time]))
    metrics.distribution(Self.time).record(5)
    for _ in 0...WindowedHistogram.slicesPerMinute { metrics.turn() }
    let text = PrometheusText.text(metrics.values, of: ["service": "context"])
    #expect(text.contains(#"{service="context",quantile="0.99"} NaN"#))
    #expect(text.contains(#"seconds_count{service="context"} 1"#))
  }
}
