import Testing

@testable import Transport

/// What waits of live data, against a slow obvious model.
@Suite("NewestQueue")
struct NewestQueueTests {
  private func frame(_ number: Int, _ size: Int = 4) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
  }

  @Test("3.5 the newest takes the older one's place, and every key gets its turn")
  func newestWins() {
    var queue = NewestQueue()
    let bounds = NewestQueue.Bounds(keysMax: 3, bytesMax: 100)
    #expect(queue.put(frame(1), key: 10, bounds) == 0)
    #expect(queue.put(frame(2), key: 20, bounds) == 0)
    #expect(queue.put(frame(3), key: 10, bounds) == 1)
    #expect(queue.takeFirst() == frame(3))
    #expect(queue.put(frame(4), key: 10, bounds) == 0)
    #expect(queue.takeFirst() == frame(2), "it has waited for longer")
    #expect(queue.takeFirst() == frame(4))
    #expect(queue.takeFirst() == nil && queue.isEmpty && queue.byteCount == 0)
  }

  @Test("3.5 past its bounds what has waited for longest is lost")
  func bounds() {
    var queue = NewestQueue()
    let bounds = NewestQueue.Bounds(keysMax: 2, bytesMax: 10)
    _ = queue.put(frame(1), key: 1, bounds)
    _ = queue.put(frame(2), key: 2, bounds)
    #expect(queue.put(frame(3), key: 3, bounds) == 1, "keys")
    #expect(queue.put(frame(4, 9), key: 4, bounds) == 2, "bytes")
    #expect(queue.put(frame(5, 11), key: 5, bounds) == 1, "larger than all that may wait")
    #expect(queue.count == 1 && queue.byteCount == 9)
    #expect(queue.put(frame(6, 11), key: 4, bounds) == 2, "an older one is not told as the newest")
    #expect(queue.isEmpty)
    _ = queue.put(frame(7), key: 7, bounds)
    #expect(queue.removeAll() == 1 && queue.isEmpty)
  }

  @Test("3.5 whoever chooses ever other receivers pushes out nobody else's data")
  func streams() {
    var queue = NewestQueue()
    let bounds = NewestQueue.Bounds(keysMax: 100, bytesMax: 10_000)
    _ = queue.put(frame(1), key: 1, of: 5, bounds)
    var lostCount = 0
    for key in 1_000..<11_000 as Range<UInt64> {
      lostCount += queue.put(frame(2), key: key, of: 6, bounds)
    }
    #expect(queue.count == 1 + NewestQueue.perStreamMax)
    #expect(lostCount == 10_000 - NewestQueue.perStreamMax)
    #expect(queue.takeFirst() == frame(1))
  }

  @Test("3.5 a stream that takes over another one's key leaves both within their bounds")
  func sharedKeys() {
    var queue = NewestQueue()
    let bounds = NewestQueue.Bounds(keysMax: 100, bytesMax: 10_000)
    _ = queue.put(frame(1), key: 1, of: 5, bounds)
    #expect(queue.put(frame(2), key: 1, of: 6, bounds) == 1)
    for key in 100..<200 as Range<UInt64> { _ = queue.put(frame(3), key: key, of: 5, bounds) }
    #expect(queue.count == 1 + NewestQueue.perStreamMax)
    for key in 200..<300 as Range<UInt64> { _ = queue.put(frame(4), key: key, of: 6, bounds) }
    #expect(queue.count == 2 * NewestQueue.perStreamMax)
  }

  @Test("3.5 it does what a plain list does", arguments: 1...20 as ClosedRange<UInt64>)
  func agreesWithTheModel(seed: UInt64) {
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func draw(_ bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    let bounds = NewestQueue.Bounds(keysMax: 1 + draw(40), bytesMax: 50 + draw(400))
    var queue = NewestQueue()
    var model: [(key: UInt64, frame: [UInt8])] = []
    // Every second seed has streams of twenty keys, each with more than may wait.
    func stream(_ key: UInt64) -> UInt64? { seed % 2 == 0 ? nil : key % 3 }
    for step in 0..<3_000 {
      if draw(3) == 0 {
        #expect(queue.takeFirst() == (model.isEmpty ? nil : model.removeFirst().frame))
      } else {
        let key = UInt64(draw(60))
        let frame = frame(step, 1 + draw(60))
        var lostCount = 0
        if frame.count > bounds.bytesMax {
          lostCount = 1 + model.count { $0.key == key }
          model.removeAll { $0.key == key }
        } else if let index = model.firstIndex(where: { $0.key == key }) {
          model[index].frame = frame
          lostCount = 1
        } else {
          model.append((key, frame))
          let waiting = model.filter { stream($0.key) == stream(key) }
          if stream(key) != nil, waiting.count > NewestQueue.perStreamMax {
            model.removeAll { $0.key == waiting[0].key }
            lostCount = 1
          }
        }
        while model.count > bounds.keysMax
          || model.reduce(0, { $0 + $1.frame.count }) > bounds.bytesMax
        {
          model.removeFirst()
          lostCount += 1
        }
        #expect(
          queue.put(frame, key: key, of: stream(key), bounds) == lostCount,
          "seed \(seed), step \(step)")
      }
      #expect(queue.count == model.count)
      #expect(queue.byteCount == model.reduce(0) { $0 + $1.frame.count })
    }
  }
}
