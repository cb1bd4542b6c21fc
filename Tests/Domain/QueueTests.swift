import Domain
import Testing

struct QueueTests {
  @Test func behavesAsAnArray() {
    var queue = Queue<Int>()
    var model: [Int] = []
    var random = RandomSource.seeded(12)
    for step in 0..<5000 {
      if model.isEmpty || Int.random(in: 0..<100, using: &random) < (step < 2500 ? 60 : 40) {
        queue.append(step)
        model.append(step)
      } else {
        #expect(queue.removeFirst() == model.removeFirst())
      }
      #expect(queue.count == model.count)
      #expect(queue.isEmpty == model.isEmpty)
      #expect(queue.first == model.first)
      if let index = model.indices.randomElement(using: &random) {
        #expect(queue[index] == model[index])
      }
    }
  }
}
