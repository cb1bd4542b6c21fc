import Domain

/// Virtual time and chance, both from one seed. A simulation is a row of events in this schedule,
/// which run one after the other.
final class Schedule {
  private struct Event {
    var time: Int64
    var order: Int
    var body: () -> Void

    func isBefore(_ other: Event) -> Bool { (time, order) < (other.time, other.order) }
  }

  /// Milliseconds since the start.
  private(set) var now: Int64 = 0
  private(set) var eventCount = 0
  var random: RandomSource
  private var heap: [Event] = []
  private var added = 0

  init(seed: UInt64) { random = .seeded(seed) }

  func at(_ time: Int64, _ body: @escaping () -> Void) {
    added += 1
    heap.append(Event(time: max(time, now), order: added, body: body))
    var index = heap.count - 1
    while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  func after(_ milliseconds: Int64, _ body: @escaping () -> Void) { at(now + milliseconds, body) }

  /// Runs the next event; false when there is none.
  func runNext() -> Bool {
    guard let event = heap.first else { return false }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    now = event.time
    eventCount += 1
    event.body()
    return true
  }

  private func sink() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].isBefore(heap[least]) { least = child }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }

  // MARK: Chance

  func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

  func isChance(oneIn count: Int64) -> Bool { count > 0 && number(1...count) == 1 }

  func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  /// A short wait, now and then a long one.
  func wait() -> Int64 { isChance(oneIn: 30) ? number(50...400) : number(0...8) }
}
