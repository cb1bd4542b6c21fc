import Operations
import Ranking
import Wire

/// An index of a board's entries by the other order. It is made some entries at a time, while the
/// board's own index goes on answering.
///
/// The entries stay what they are; only their index exists twice, at 25 bytes for each. First every
/// number gets a place, then the entries are inserted in the order of the ranking, each beside the
/// one before. `Board.put` and `Board.remove` pass on what changes meanwhile. At the end the two
/// indices are exchanged, and the former is released from this one.
final class OrderIndex {
  let definition: LeaderboardDefinition
  var index = RankIndex()
  /// The board's entries before this key have come.
  fileprivate var reached: RankKey?
  fileprivate var hasPlaces = false
  fileprivate(set) var isWhole = false

  init(_ definition: LeaderboardDefinition) { self.definition = definition }

  /// The key of a number that is not in the index. No entry has it: the board's first arrival is 1.
  private static var absent: RankKey { RankKey(order: .min, tie: 0) }

  /// Numbers that get a place in the time of one entry: they are written one after the other.
  fileprivate static var placesPerEntry: Int { 16 }

  private func contains(_ number: UInt32) -> Bool {
    number < index.numbersEnd && index.key(of: number) != Self.absent
  }

  /// The entry with a number has a key in the board's own order.
  fileprivate func put(_ number: UInt32, _ key: RankKey) {
    let turned = RankKey(order: ~key.order, tie: key.tie)
    if contains(number) {
      index.update(number, to: turned)
    } else {
      index.insert(number, turned)
    }
  }

  fileprivate func remove(_ number: UInt32) {
    guard contains(number) else { return }
    index.remove(number)
    index.setKey(number, Self.absent)
  }

  /// Makes places for at most so many numbers, and returns for how many.
  fileprivate func addPlaces(through end: Int, atMost stepMax: Int) -> Int {
    let first = index.numbersEnd
    let last = min(end, first + stepMax)
    for number in first..<max(first, last) { index.setKey(UInt32(number), Self.absent) }
    return max(0, last - first)
  }
}

extension Board {
  /// Brings the successor's index up to date with a player's new or changed entry.
  func putIntoSuccessorIndex(_ player: PlayerID) {
    // Before there are places for all, none has come: each comes in its turn.
    guard let successorIndex, successorIndex.hasPlaces, let number = table.number(of: player.bits)
    else { return }
    successorIndex.put(number, table.key(of: number))
  }

  /// Takes a player's entry, which is about to go, out of the successor's index.
  func removeFromSuccessorIndex(_ player: PlayerID) {
    guard let successorIndex, let number = table.number(of: player.bits) else { return }
    successorIndex.remove(number)
  }

  /// One step, as much work as `stepMax` entries; returns how many entries' worth it was.
  func advanceSuccessorIndex(atMost stepMax: Int) -> Int {
    guard let successorIndex, !successorIndex.isWhole, stepMax > 0 else { return 0 }
    if !successorIndex.hasPlaces {
      let placesMax = stepMax * OrderIndex.placesPerEntry
      let added = successorIndex.addPlaces(through: table.numbersEnd, atMost: placesMax)
      successorIndex.hasPlaces = added < placesMax
      return added / OrderIndex.placesPerEntry
    }
    let start = successorIndex.reached.map { countBelow($0) } ?? 0
    let numbers = table.numbers(from: start, count: stepMax)
    for number in numbers { successorIndex.put(number, table.key(of: number)) }
    if let last = numbers.last {
      var key = table.key(of: last)
      // Just behind the last one: an arrival is never the greatest number.
      key.tie += 1
      successorIndex.reached = key
    }
    successorIndex.isWhole = numbers.count < stepMax
    return numbers.count
  }
}
