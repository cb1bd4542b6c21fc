import Domain
import Testing

@testable import Ranking

/// What the index and the table are made of.
struct PartTests {
  @Test("4.2 a key sorts by order, then by tie, over all of 64 bits")
  func keys() {
    let orders: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let ties: [UInt64] = [0, 1, .max]
    let keys = orders.flatMap { order in ties.map { RankKey(order: order, tie: $0) } }
    #expect(keys.shuffled().sorted() == keys)
    #expect(keys.map(\.order) == orders.flatMap { [$0, $0, $0] })
    #expect(keys.map(\.tie) == orders.flatMap { _ in ties })
  }

  @Test("a code never falls when the key rises, whatever the frame")
  func frames() {
    var random = RandomSource.seeded(3)
    func anyKey() -> RankKey {
      let width = UInt128.random(in: 0..<128, using: &random)
      return RankKey(bits: UInt128.random(in: 0...UInt128.max, using: &random) >> width)
    }
    for _ in 0..<300 {
      let ends = [anyKey(), anyKey()].sorted()
      let frame = KeyFrame(from: ends[0], through: ends[1])
      let keys = ([RankKey(bits: 0), RankKey(bits: .max)] + ends + (0..<30).map { _ in anyKey() })
        .sorted()
      let codes = keys.map { frame.code(of: $0) }
      #expect(codes == codes.sorted())
      #expect(codes.allSatisfy { (0...KeyFrame.codeMax).contains($0) })
      #expect(frame.code(of: ends[0]) == 0)
    }
  }

  @Test("numbers are sorted by keys that lie evenly, in heaps, far apart and nearly in one point")
  func sorts() {
    var random = RandomSource.seeded(4)
    let spreads: [(Int, inout RandomSource) -> UInt128] = [
      { _, random in .random(in: 0...UInt128.max, using: &random) },
      { number, _ in UInt128(number % 3) << 64 | UInt128(number) },
      { number, _ in UInt128(number) },
      { number, _ in UInt128.max - UInt128(number) },
      { number, _ in number == 0 ? .max : UInt128(number) },
      { number, random in
        1 << UInt128.random(in: 20..<127, using: &random) | UInt128(number)
      },
    ]
    for spread in spreads {
      for count in [0, 1, 2, KeySort.partMax, KeySort.partMax + 1, 12_000] {
        var keys = Column<RankKey>()
        for number in 0..<count { keys.append(RankKey(bits: spread(number, &random))) }
        let sorted = KeySort.numbers(of: keys)
        let numbers = (0..<sorted.count).map { sorted[$0] }
        let values = numbers.map { keys[Int($0)] }
        #expect(Set(numbers).count == count)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }

  @Test("a column keeps its values over every step of its growth, and what is not given back")
  func columns() {
    var column = Column<UInt128>()
    let perPiece = Pages.pieceBytes / 16
    for value in 0..<3 * perPiece + 1 { column.append(UInt128(value) * 3) }
    #expect((0..<column.count).allSatisfy { column[$0] == UInt128($0) * 3 })
    column[perPiece] = 7
    #expect(column[perPiece - 1] == UInt128(perPiece - 1) * 3 && column[perPiece] == 7)
    let bytes = column.bytes
    #expect(bytes == 4 * Pages.pieceBytes)
    column.discard(before: perPiece - 1)
    #expect(column.bytes == bytes)
    column.discard(before: 2 * perPiece)
    #expect(column.bytes == bytes / 2)
    #expect((2 * perPiece..<column.count).allSatisfy { column[$0] == UInt128($0) * 3 })
  }

  @Test("a node that was released is the next to be given out")
  func pool() {
    var pool = NodePool(nodeBytes: Leaf.bytes)
    let nodes = (0..<20_000).map { _ in pool.allocate() }
    #expect(Set(nodes.map { unsafe UInt(bitPattern: $0.memory) }).count == nodes.count)
    #expect(nodes.allSatisfy { unsafe UInt(bitPattern: $0.memory) % 64 == 0 })
    pool.release(nodes[3])
    pool.release(nodes[9])
    let again = [pool.allocate(), pool.allocate()]
    #expect(again == [nodes[9], nodes[3]])
    #expect(pool.nodesInUse == nodes.count)
    #expect(pool.bytes < (nodes.count + 1) * Leaf.bytes + Pages.pieceBytes)
  }
}
