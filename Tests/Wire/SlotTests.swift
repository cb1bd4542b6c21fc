import Domain
import Testing
import Wire

struct SlotTests {
  /// Computed by a separate program (Python) from the definition of 128-bit FNV-1a and of the
  /// mixer: a change would send every stored key to another process.
  @Test(
    arguments: [
      ("", "", 0xD228_CB69_101A_8CAF, 0x7891_2B70_4E4A_147F, 784),
      ("game", "board", 0xED46_BB69_9370_1775, 0x084B_2B58_3173_02AB, 925),
      ("space-race", "weekly high score", 0x7EF4_DDCF_1223_AF78, 0xCD2A_FA44_498C_9B96, 928),
      ("spiel", "größe", 0x7694_AB7F_97C1_9E29, 0xB08B_567E_D6AD_9A85, 775),
    ] as [(String, String, UInt64, UInt64, Int)])
  func fixedKeys(_ game: String, _ name: String, _ high: UInt64, _ low: UInt64, _ slot: Int) {
    let key = RoutingKey(game: game, name: name)
    #expect(key == RoutingKey(high: high, low: low))
    #expect(Slot.of(key) == slot)
  }

  /// A gateway takes the key from a body that it does not decode.
  @Test(arguments: ["", "board", "größe"])
  func keyOfABodysFirstName(_ name: String) {
    var body = Writer()
    name.encode(to: &body)
    for end in body.bytes.indices {
      let cut = Array(body.bytes[..<end])
      #expect(unsafe RoutingKey(game: "game", nameInFrontOf: cut.span.bytes) == nil)
    }
    body.integer(UInt64.max)
    let whole = body.bytes
    let key = unsafe RoutingKey(game: "game", nameInFrontOf: whole.span.bytes)
    #expect(key == RoutingKey(game: "game", name: name))
  }

  @Test func gameAndNameDoNotRunTogether() {
    #expect(RoutingKey(game: "ab", name: "c") != RoutingKey(game: "a", name: "bc"))
  }

  private func counts(_ keys: some Sequence<RoutingKey>) -> [Int] {
    var counts = [Int](repeating: 0, count: Slot.count)
    for key in keys { counts[Slot.of(key)] += 1 }
    return counts
  }

  /// With 64 keys per slot on average, chance stays within 20 and 120 by far more than 5 sigma.
  @Test func keysOfAnyOriginSpreadEvenly() {
    var random = RandomSource.seeded(9)
    let total = Slot.count * 64
    let byChance = counts((0..<total).map { _ in RoutingKey.arbitrary(using: &random) })
    let byCount = counts((0..<total).map { RoutingKey(high: 0, low: UInt64($0)) })
    let byHighCount = counts((0..<total).map { RoutingKey(high: UInt64($0) << 32, low: 0) })
    let byName = counts((0..<total).map { RoutingKey(game: "game", name: "board-\($0)") })
    for spread in [byChance, byCount, byHighCount, byName] {
      #expect((spread.min() ?? 0) > 20)
      #expect((spread.max() ?? 0) < 120)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 7, 1000, 1023, 1024])
  func everySlotHasOneOwner(_ count: Int) {
    let partitions = (0..<count).map { Partition(index: $0, count: count) }
    var owned = [Int](repeating: 0, count: count)
    for slot in 0..<Slot.count {
      let owners = partitions.filter { $0.owns(slot) }
      #expect(owners.count == 1)
      for owner in owners { owned[owner.index] += 1 }
    }
    // Equal to within one slot.
    #expect((owned.max() ?? 0) - (owned.min() ?? 0) <= 1)
  }

  @Test func partitionText() {
    #expect(Partition("2/8") == Partition(index: 1, count: 8))
    #expect(Partition(index: 1, count: 8).description == "2/8")
    #expect(Partition("1/1") == .whole)
    for text in [
      "", "1", "0/1", "2/1", "1/0", "1/1025", "-1/2", "1/2/3", "a/b", "1/", "/1", "1 /2",
    ] {
      #expect(Partition(text) == nil, "\(text)")
    }
  }
}
