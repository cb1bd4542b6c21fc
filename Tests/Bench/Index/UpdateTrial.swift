import BenchMachine
import Ranking

/// Ours of the benchmark `index`: the same work as `index_pbds.cpp` with the same numbers, so that
/// the checksum over all ranks is the same.
///
/// Entries are named by number, as the board knows it once it has looked the player up; the
/// baseline too finds a player's key in an array by number. `update` gives the rank that the entry
/// gets, as the reply to a submission needs it; with `isAsked` the rank is asked for in a call of
/// its own, as the baseline has to.
enum UpdateTrial {
  static func run(players: Int, operations: Int, isAsked: Bool) {
    var random = SplitMix()
    var index = RankIndex()
    var arrival: UInt64 = 0
    for number in 0..<UInt32(players) {
      arrival += 1
      index.insert(number, RankKey(order: random.value(), tie: arrival))
    }
    var checksum: UInt64 = 0
    let start = Machine.processorTime
    for _ in 0..<operations {
      let number = UInt32(random.below(UInt64(players)))
      arrival += 1
      var rank = index.update(number, to: RankKey(order: random.value(), tie: arrival))
      if isAsked { rank = index.position(of: number) }
      checksum = checksum &* 31 &+ UInt64(rank)
    }
    let taken = Machine.processorTime - start
    print(
      line([
        ("ns_per_operation", figure(taken / Double(operations))),
        ("checksum", hexadecimal(checksum)),
        ("bytes_per_entry", figure(Double(index.bytes) / Double(players))),
      ]))
  }
}
