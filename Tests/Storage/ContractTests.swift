import Domain
import Storage
import StoreRounds
import Testing
import Wire

/// What every store does, whatever it is made of.
@Suite(.serialized)
struct ContractTests {
  @Test(arguments: Backend.allCases)
  func aNewStoreIsEmpty(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    #expect(test.store.lastBatch == 0)
    #expect(test.store.lastTime == 0)
    #expect(test.store.journalBytes == 0)
    #expect(try !test.store.fold())
    #expect(try test.difference == nil)
  }

  @Test(arguments: Backend.allCases)
  func whatWasCommittedIsThereAfterReopening(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    let id = test.store.storeID
    try test.commit { $0.put(score("a", 1, 7)) }
    try test.commit { changes in
      changes.put(score("a", -1, 8))
      changes.put(AttemptRow(.init(player: 1, number: 1), value: 3))
    }
    #expect(try test.difference == nil)
    try test.reopen()
    #expect(try test.difference == nil)
    #expect(test.store.storeID == id)
    try test.foldAll()
    #expect(test.store.journalBytes == 0)
    #expect(try test.difference == nil)
    try test.reopen()
    #expect(try test.difference == nil)
    try test.commit { $0.remove(ScoreRow.self, .init(board: "a", player: 1)) }
    #expect(try test.difference == nil)
  }

  @Test(arguments: Backend.allCases)
  func rowsAreReplacedAndRemovedInOrder(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    let key = AttemptRow.Key(player: 1, number: 1)
    try test.commit { changes in
      changes.put(AttemptRow(key, value: 1))
      changes.remove(AttemptRow.self, key)
      changes.put(AttemptRow(key, value: 2))
      changes.put(score("b", 1, 1))
      changes.remove(ScoreRow.self, .init(board: "b", player: 1))
    }
    #expect(try test.difference == nil)
    try test.foldAll()
    #expect(try test.difference == nil)
    try test.commit { $0.remove(AttemptRow.self, key) }
    #expect(try test.difference == nil)
    try test.foldAll()
    try test.reopen()
    #expect(try test.difference == nil)
  }

  @Test(arguments: Backend.allCases)
  func aBatchIsTakenOnceAndInOrder(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    try test.commit { $0.put(score("a", 1, 1)) }
    // The number is stored already, so the batch is ignored, whatever its changes are.
    try test.store.commit(batch(1) { $0.put(score("a", 1, 99)) }, time: 50)
    #expect(try test.difference == nil)
    #expect(throws: StoreError.other("batch 3 does not follow batch 1")) {
      try test.store.commit(batch(3), time: 50)
    }
    try test.commit { _ in }
    #expect(try test.difference == nil)
  }

  @Test(arguments: Backend.allCases)
  func aBatchThatCouldNotBeFoldedIsRefused(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    #expect(throws: StoreError.self) {
      try test.store.commit(Batch(number: 1, changes: RowChanges(bytes: [9, 9])), time: 1)
    }
    #expect(throws: StoreError.self) {
      try test.store.commit(batch(1) { $0.put(UnknownRow()) }, time: 1)
    }
    #expect(test.store.lastBatch == 0)
    try test.commit { $0.put(score("a", 1, 1)) }
    #expect(try test.difference == nil)
  }

  @Test(arguments: Backend.allCases)
  func coldReadsMergeFoldedAndUnfolded(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    try test.commit { changes in
      for number in 0..<20 {
        changes.put(AttemptRow(.init(player: 3, number: Int64(number)), value: 0))
      }
      changes.put(AttemptRow(.init(player: 2, number: 1), value: 0))
      changes.put(AttemptRow(.init(player: 4, number: 1), value: 0))
    }
    try test.foldAll()
    try test.commit { changes in
      changes.put(AttemptRow(.init(player: 3, number: 5), value: 1))
      changes.remove(AttemptRow.self, .init(player: 3, number: 0))
      changes.remove(AttemptRow.self, .init(player: 3, number: 19))
      changes.put(AttemptRow(.init(player: 3, number: 30), value: 1))
    }
    let player = UInt64(3).keyBytes
    let range = ColdRange(table: AttemptRow.tableID, from: player, through: player, limit: 5)
    let first = try test.store.read(range).map { try AttemptRow(decoding: $0) }
    #expect(first.map(\.key.number) == [1, 2, 3, 4, 5])
    #expect(first.last?.value == 1)
    var descending = range
    descending.isDescending = true
    let last = try test.store.read(descending).map { try AttemptRow(decoding: $0) }
    #expect(last.map(\.key.number) == [30, 18, 17, 16, 15])
    let key = AttemptRow.Key(player: 3, number: 19).keyBytes
    #expect(
      try test.store.read(.init(table: AttemptRow.tableID, from: key, through: key, limit: 1))
        .isEmpty)
    #expect(throws: StoreError.self) {
      try test.store.read(.init(table: ScoreRow.tableID, from: player, through: player, limit: 1))
    }
  }

  /// The order is the store's own; what counts is that a walk in pages meets each row once.
  @Test(arguments: Backend.allCases)
  func residentRowsAreReadInPages(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    let keys = ["b", "", "ab", "é", "a"].flatMap { board in
      [Int64(-300), -1, 0, 1, 255, 256, 70_000].map { ScoreRow.Key(board: board, player: $0) }
    }
    func row(_ key: ScoreRow.Key, _ score: Int64) -> ScoreRow {
      var row = ScoreRow()
      row.key = key
      row.score = score
      return row
    }
    try test.commit { changes in for key in keys.dropLast(9) { changes.put(row(key, 1)) } }
    try test.foldAll()
    try test.commit { changes in
      for key in keys.dropFirst(20) { changes.put(row(key, 2)) }
      changes.remove(ScoreRow.self, keys[3])
      changes.remove(ScoreRow.self, keys[30])
    }
    for isFolded in [false, true] {
      if isFolded { try test.foldAll() }
      var (found, from): ([ScoreRow], [UInt8]) = ([], [])
      while true {
        let range = ColdRange(table: ScoreRow.tableID, from: from, through: [], limit: 4)
        let page = try test.store.read(range).map { try ScoreRow(decoding: $0) }
        found += page.filter { $0.key.keyBytes != from }
        guard page.count == 4, let last = page.last else { break }
        from = last.key.keyBytes
      }
      #expect(found.count == keys.count - 2, "folded: \(isFolded)")
      let byKey = Dictionary(grouping: found, by: \.key)
      for (place, key) in keys.enumerated() where place != 3 && place != 30 {
        #expect(byKey[key]?.map(\.score) == [place < 20 ? 1 : 2], "\(key) folded: \(isFolded)")
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func aClosedStoreRefuses(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    test.store.close()
    test.store.close()
    #expect(throws: StoreError.self) { try test.store.commit(batch(1), time: 1) }
    #expect(throws: StoreError.self) { try test.store.fold() }
    #expect(throws: StoreError.self) {
      try test.store.read(.init(table: AttemptRow.tableID, from: [], through: [], limit: 1))
    }
  }

  @Test(arguments: Backend.allCases, 1...8)
  func randomLivesMatchADictionary(_ backend: Backend, seed: Int) throws {
    let test = try StoreUnderTest(backend)
    var batches = RandomBatches(seed: UInt64(seed))
    for _ in 0..<150 {
      switch Int.random(in: 0..<20, using: &batches.random) {
      case 0..<11:
        let (batch, time) = batches.next(after: test.model)
        try test.commit(batch, time: time)
      case 11..<14: _ = try test.store.fold()
      case 14..<18:
        let range = batches.range()
        #expect(try test.store.read(range) == test.model.read(range))
      case 18: #expect(try test.difference == nil)
      default: try test.reopen()
      }
    }
    try test.reopen()
    #expect(try test.difference == nil)
  }
}

struct UnknownRow: Row {
  var key: UInt32 = 0
  static var tableID: UInt16 { 999 }
  static var tableName: String { "unknown" }
  mutating func fields<V: FieldVisitor>(_ visit: inout V) { visit.field("key", &key) }
}
