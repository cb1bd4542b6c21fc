import Domain
import Testing
import Wire

struct SlotTests {
  /// Computed by a separate program (Python) from the definitions of the key and of the mixer: a
  /// change would send every stored key to another process. The last is also what
  /// `printf '\0\0\0\004demolaps' | sha256sum` begins with.
  @Test(
    arguments: [
      ("", "", 0xDF3F_6198_04A9_2FDB, 0x4057_192D_C43D_D748, 322),
      ("game", "board", 0x1471_2F37_1A9F_A25C, 0x0DC1_A56D_A4C2_F465, 394),
      ("space-race", "weekly high score", 0x99C0_20B4_64E0_185E, 0x43E6_C30F_C625_1589, 478),
      ("spiel", "größe", 0x7219_C7F2_16AB_FDDC, 0xA4F2_A8DF_BC88_684E, 561),
      ("demo", "laps", 0xFC12_77B3_A06F_5F40, 0x2B92_9FDD_4043_CDCB, 149),
    ] as [(String, String, UInt64, UInt64, Int)])
  func fixedKeys(_ game: String, _ name: String, _ high: UInt64, _ low: UInt64, _ slot: Int) {
    let key = RoutingKey(game: game, name: name)
    #expect(key == RoutingKey(high: high, low: low))
    #expect(Slot.of(key) == slot)
  }

  /// A gateway takes the key from a body that it does not decode.
  @Test(arguments: ["", "board", "größe"])
  func keyOfABodysFirstName(_ name: String) throws {
    var body = Writer()
    name.encode(to: &body)
    for end in body.bytes.indices {
      let cut = Array(body.bytes[..<end])
      #expect(unsafe RoutingKey.firstName(in: cut.span.bytes) == nil)
    }
    body.integer(UInt64.max)
    let whole = body.bytes
    let found = try #require(unsafe RoutingKey.firstName(in: whole.span.bytes))
    let key = unsafe RoutingKey(game: "game", name: whole.span.bytes.extracting(found))
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
