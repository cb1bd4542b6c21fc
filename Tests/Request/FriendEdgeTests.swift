import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Two sides of one edge and the news under way between them.
private struct Pair {
  typealias News = (wished: Int64, ended: Int64)
  var sides = [FriendEdge(), FriendEdge()]
  /// Towards each side.
  var underWay: [[News]] = [[], []]
  var now: Int64 = 1000

  enum Deed: CaseIterable {
    case wish, end, expire, block, unblock
  }

  mutating func act(_ side: Int, _ deed: Deed) {
    var mustTell = false
    switch deed {
    case .wish: if !sides[side].isBlocked { mustTell = sides[side].wish(now: now) }
    case .end: if !sides[side].isBlocked { mustTell = sides[side].end(now: now) }
    case .expire: mustTell = sides[side].expire()
    case .block: if !sides[side].isBlocked { mustTell = sides[side].block(now: now) }
    case .unblock: if sides[side].isBlocked { mustTell = sides[side].unblock(now: now) }
    }
    if mustTell { underWay[1 - side].append((sides[side].mine, sides[side].ended)) }
  }

  mutating func deliver(to side: Int, index: Int = 0, keep: Bool = false) {
    guard index < underWay[side].count else { return }
    let news = keep ? underWay[side][index] : underWay[side].remove(at: index)
    _ = sides[side].hear(wished: news.wished, ended: news.ended)
  }

  mutating func settle() {
    for side in 0...1 { while !underWay[side].isEmpty { deliver(to: side) } }
  }

  var agrees: Bool {
    sides[0].mine == sides[1].theirs && sides[1].mine == sides[0].theirs
      && sides[0].ended == sides[1].ended
      && (sides[0].state == .friends) == (sides[1].state == .friends)
  }
}

@Suite struct FriendEdgeTests {
  @Test("2.9 every short history ends mutual", arguments: [0, 1] as [Int64])
  func exhaustive(step: Int64) {
    var count = 0
    func explore(_ pair: Pair, _ depth: Int) {
      var settled = pair
      settled.settle()
      #expect(settled.agrees, "\(pair) settles as \(settled)")
      count += 1
      if depth == 0 { return }
      for side in 0...1 {
        for deed in Pair.Deed.allCases {
          var next = pair
          next.now += step
          next.act(side, deed)
          if next.sides != pair.sides { explore(next, depth - 1) }
        }
        if !pair.underWay[side].isEmpty {
          var next = pair
          next.deliver(to: side)
          explore(next, depth - 1)
        }
      }
    }
    explore(Pair(), 7)
    #expect(count > 10_000)
  }

  @Test("2.9 histories with reordered and doubled news end mutual")
  func reordered() {
    var random = RandomSource.seeded(29)
    for _ in 0..<3000 {
      var pair = Pair()
      for _ in 0..<24 {
        let side = Int.random(in: 0...1, using: &random)
        pair.now += Int64.random(in: 0...1, using: &random)
        if Bool.random(using: &random), !pair.underWay[side].isEmpty {
          let index = Int.random(in: 0..<pair.underWay[side].count, using: &random)
          pair.deliver(to: side, index: index, keep: Int.random(in: 0..<4, using: &random) == 0)
        } else if let deed = Pair.Deed.allCases.randomElement(using: &random) {
          pair.act(side, deed)
        }
      }
      pair.settle()
      #expect(pair.agrees)
    }
  }

  @Test("2.9 a wish counts at once, also when the other's clock was ahead")
  func clocks() {
    var edge = FriendEdge()
    var (notice, mustTell) = (edge.hear(wished: 5000, ended: 5000), edge.wish(now: 1000))
    #expect(notice == .nothing && mustTell && edge.state == .invited)
    notice = edge.hear(wished: 9000, ended: 5000)
    #expect(notice == .friendship && edge.state == .friends)
    mustTell = edge.end(now: 1000)
    #expect(mustTell && edge.state == .none)
    mustTell = edge.wish(now: 1000)
    #expect(mustTell && edge.state == .invited)
    mustTell = edge.wish(now: 2000)
    #expect(!mustTell)
  }

  @Test("2.9 an accepted invitation that was withdrawn and sent again is not accepted twice")
  func withdrawnAndAgain() {
    var pair = Pair()
    pair.act(0, .wish)
    pair.deliver(to: 1)
    pair.act(0, .end)
    pair.act(1, .wish)
    pair.act(0, .wish)
    pair.settle()
    #expect(pair.agrees)
  }
}
