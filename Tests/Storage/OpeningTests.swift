import Domain
import Foundation
@testable import Storage
import StoreRounds
import Testing
import Wire

/// Opening a store that is missing, too new, too old, damaged or in use.
@Suite(.serialized)
struct OpeningTests {
  let directory = TemporaryDirectory("opening")

  private func create() throws {
    let store = try openSQLite(directory, SQLiteOptions(createIfMissing: true))
    try store.commit(batch(1) { $0.put(score("a", 1, 1)) }, time: 10)
    _ = try store.fold()
    try store.commit(batch(2) { $0.put(score("a", 2, 2)) }, time: 20)
    store.close()
  }

  private func file(_ kind: String) -> String { "\(directory.path)/test.\(kind).sqlite" }

  private func run(_ sql: String, in kind: String) throws {
    let connection = try SQLiteConnection(file(kind), vfs: nil)
    try connection.run(sql)
    connection.close()
  }

  /// What a look from outside finds of the store, in place of opening it.
  private func look(_ tables: [TableDescription] = sampleTables) throws(StoreError) -> StoreLook {
    try SQLiteStore.look(
      directory: directory.path, name: "test", partition: .whole, tables: tables)
  }

  @Test("a look tells the time of the last change, or that it is hidden")
  func aLookTellsTheLastTime() throws {
    try create()
    #expect(try look() == .whole(lastTime: 20))
    let store = try openSQLite(directory)
    try store.commit(batch(3), time: 30)
    while try store.fold() {}
    #expect(try look() == .hidden)
    store.close()
    #expect(try look() == .whole(lastTime: 30))
  }

  @Test("what keeps a store from opening is seen by a look")
  func aLookSeesWhatOpeningSees() throws {
    let newer = [TableDescription(NewRow.self)]
    try openSQLite(
      directory, SQLiteOptions(createIfMissing: true), tables: newer + sampleTables
    ).close()
    #expect(throws: StoreError.unknownTables(["changing"])) { try look() }
    #expect(throws: StoreError.newerTable("changing", found: 5, known: 2)) {
      try look([TableDescription(OldRow.self)] + sampleTables)
    }
    #expect(try look(newer + sampleTables) == .whole(lastTime: 0))
  }

  @Test("a look sees a batch that is missing")
  func aLookSeesAGap() throws {
    try create()
    try run("UPDATE journal SET number = 7 WHERE number = 2", in: "journal")
    let error = #expect(throws: StoreError.self) { try look() }
    #expect(error?.text.contains("lacks batch 2") == true)
  }

  private func errorOfOpening(_ partition: Partition = .whole) -> StoreError? {
    do throws(StoreError) {
      try openSQLite(directory, SQLiteOptions(partition: partition)).close()
      return nil
    } catch {
      return error
    }
  }

  @Test
  func aMissingStoreIsMadeOnlyOnDemand() throws {
    #expect(errorOfOpening() == .missing("\(directory.path)/test"))
    #expect(!FileManager.default.fileExists(atPath: directory.path))
    try create()
    #expect(errorOfOpening() == nil)
  }

  @Test
  func onlyTheOwnerMayReadTheFiles() throws {
    try create()
    let store = try openSQLite(directory)
    try store.commit(batch(3), time: 30)
    let manager = FileManager.default
    func mode(_ path: String) throws -> Int? {
      try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(directory.path) == 0o700)
    for name in try manager.contentsOfDirectory(atPath: directory.path) {
      #expect(try mode("\(directory.path)/\(name)") == 0o600, "\(name)")
    }
    store.close()
  }

  @Test
  func aLostFileIsNoticed() throws {
    try create()
    try FileManager.default.removeItem(atPath: file("journal"))
    expectText("A part of the store is missing: \(file("journal")). Do not begin anew")
    try FileManager.default.removeItem(atPath: file("tables"))
    try create()
    try FileManager.default.removeItem(atPath: file("tables"))
    expectText("A part of the store is missing: \(file("tables")). Do not begin anew")
  }

  private func expectText(_ start: String) {
    let text = errorOfOpening()?.text ?? "no error"
    #expect(text.hasPrefix(start), "\(text)")
  }

  /// This holds also for a store that has not taken a batch yet.
  @Test
  func aStoreIsOfOnePartition() throws {
    let second = Partition(index: 1, count: 2)
    try openSQLite(directory, SQLiteOptions(createIfMissing: true, partition: second)).close()
    #expect(errorOfOpening() == .otherPartition(found: second, wanted: .whole))
    let first = Partition(index: 0, count: 2)
    #expect(errorOfOpening(first) == .otherPartition(found: second, wanted: first))
    let text = errorOfOpening(first)?.text ?? ""
    #expect(text.contains("written as partition 2/2, not as 1/2"), "\(text)")
    #expect(errorOfOpening(second) == nil)
  }

  @Test(arguments: [
    "DELETE FROM muster_meta WHERE name = 'partition'",
    "UPDATE muster_meta SET value = '5/4' WHERE name = 'partition'",
  ])
  func aStoreThatDoesNotSayItsPartitionIsNoticed(_ damage: String) throws {
    try create()
    try run(damage, in: "tables")
    #expect(isCorrupt)
  }

  /// The store's creation was cut short before it could take a batch.
  @Test
  func anUnfinishedStoreMayBecomeAnotherPartition() throws {
    let second = Partition(index: 1, count: 2)
    try openSQLite(directory, SQLiteOptions(createIfMissing: true, partition: second)).close()
    try run("DELETE FROM muster_meta WHERE name = 'complete'", in: "tables")
    try openSQLite(directory, SQLiteOptions(createIfMissing: true)).close()
    #expect(errorOfOpening() == nil)
  }

  @Test
  func aStoreIsOpenOnce() throws {
    try create()
    let store = try openSQLite(directory)
    #expect(errorOfOpening() == .inUse("\(directory.path)/test.lock is locked"))
    store.close()
    #expect(errorOfOpening() == nil)
  }

  /// A child process that is being started at that moment has a copy of the descriptor, until it
  /// runs its own program.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "Linux alone"))
  func anOpeningThatFailsLetsGoOfTheLock() throws {
    try create()
    let path = "\(directory.path)/test.lock"
    var lock: StoreLock? = try StoreLock(path)
    #expect(errorOfOpening() == .inUse("\(path) is locked"))
    let folder = "/proc/self/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: folder).first {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
    let copy = dup(try #require(open.flatMap { Int32($0) }))
    defer { close(copy) }
    lock = nil
    #expect(lock == nil && errorOfOpening() == nil)
  }

  @Test(arguments: ["journal", "tables"])
  func aNewerLayoutIsRefused(_ kind: String) throws {
    try create()
    try run("PRAGMA user_version = 99", in: kind)
    #expect(errorOfOpening() == .newerSchema(found: 99, known: 1...1))
    #expect(errorOfOpening()?.text.contains("newer version") == true)
  }

  /// The first format wrote no number.
  @Test(arguments: [
    (
      "DELETE FROM muster_meta WHERE name = 'format'",
      StoreError.olderFormat(found: 1, known: 2...2)
    ),
    (
      "UPDATE muster_meta SET value = 3 WHERE name = 'format'",
      StoreError.newerSchema(found: 3, known: 2...2)
    ),
  ])
  func anotherFormatIsRefused(_ change: String, _ refusal: StoreError) throws {
    try create()
    try run(change, in: "tables")
    try expectRefused(refusal)
  }

  @Test(arguments: [
    (StoreError.olderFormat(found: 1, known: 2...2), "this version reads format 2."),
    (StoreError.olderFormat(found: 1, known: 2...4), "this version reads formats 2 to 4."),
    (StoreError.newerSchema(found: 5, known: 2...2), "this version reads format 2."),
    (StoreError.newerSchema(found: 5, known: 2...4), "this version reads formats 2 to 4."),
  ])
  func theTextOfAFormatSaysWhichAreRead(_ refusal: StoreError, _ sentence: String) {
    #expect(refusal.text.contains(sentence), "\(refusal.text)")
  }

  /// What was not copied back from the write-ahead log, after a kill, stays there too.
  @Test
  func aRefusedStoreKeepsItsLog() throws {
    let killed = TemporaryDirectory("killed")
    let store = try openSQLite(killed, SQLiteOptions(createIfMissing: true))
    let path = "\(killed.path)/test.tables.sqlite"
    let second = try SQLiteConnection(path, vfs: nil)
    try second.run("DELETE FROM muster_meta WHERE name = 'format'")
    second.close()
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    for kind in ["journal.sqlite", "journal.sqlite-wal", "tables.sqlite", "tables.sqlite-wal"] {
      try manager.copyItem(
        atPath: "\(killed.path)/test.\(kind)", toPath: "\(directory.path)/test.\(kind)")
    }
    store.close()
    #expect(try contents()["test.tables.sqlite-wal"]?.isEmpty == false)
    try expectRefused(.olderFormat(found: 1, known: 2...2))
  }

  private func expectRefused(_ refusal: StoreError) throws {
    let before = try contents()
    #expect(errorOfOpening() == refusal)
    #expect(try contents() == before)
  }

  /// Each file's bytes, but not the lock and the index of a write-ahead log, which say nothing.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let kept = names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix(".lock") }
    return try Dictionary(
      uniqueKeysWithValues: kept.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\($0)")))
      })
  }

  @Test
  func aFormatThatIsNoNumberIsNoticed() throws {
    try create()
    try run("UPDATE muster_meta SET value = 'two' WHERE name = 'format'", in: "tables")
    #expect(isCorrupt)
  }

  /// A store that is newer in one table gets no other table of ours.
  @Test
  func aStoreWithANewerTableIsLeftAsItIs() throws {
    let tables = [TableDescription(NewRow.self)]
    try SQLiteStore(
      directory: directory.path, name: "test", tables: tables,
      options: SQLiteOptions(createIfMissing: true)
    ).close()
    let before = try contents()
    for _ in 0..<8 {
      let error = #expect(throws: StoreError.self) {
        try openSQLite(directory, tables: [TableDescription(OldRow.self)] + sampleTables)
      }
      #expect(
        error?.text.contains("table changing has 5 columns, and this version knows 2.") == true)
    }
    #expect(try contents() == before)
  }

  /// Without the refusal, its rows would be left out, or be taken for damage in the journal.
  @Test(arguments: [false, true])
  func aStoreWithATableThatIsNotKnownIsLeftAsItIs(isFolded: Bool) throws {
    let tables = [TableDescription(NewRow.self)] + sampleTables
    let store = try openSQLite(
      directory, SQLiteOptions(createIfMissing: true), tables: tables)
    try store.commit(batch(1) { $0.put(NewRow(key: 1, name: "new")) }, time: 1)
    if isFolded { _ = try store.fold() }
    store.close()
    let before = try contents()
    #expect(errorOfOpening() == .unknownTables(["changing"]))
    #expect(errorOfOpening()?.text.contains("a newer version: it has tables that") == true)
    #expect(try contents() == before)
    try openSQLite(directory, tables: tables).close()
  }

  @Test
  func aNewerJournalRowIsRefused() throws {
    try create()
    try run("UPDATE journal SET format = 9", in: "journal")
    #expect(errorOfOpening() == .newerSchema(found: 9, known: 1...1))
  }

  @Test
  func aGapInTheJournalIsNoticed() throws {
    try create()
    try run("UPDATE journal SET number = 7 WHERE number = 2", in: "journal")
    #expect(isCorrupt)
  }

  @Test
  func aJournalOfAnotherStoreIsNoticed() throws {
    try create()
    let other = TemporaryDirectory("other")
    let store = try openSQLite(other, SQLiteOptions(createIfMissing: true))
    store.close()
    try FileManager.default.removeItem(atPath: file("journal"))
    try FileManager.default.copyItem(
      atPath: "\(other.path)/test.journal.sqlite", toPath: file("journal"))
    #expect(isCorrupt)
  }

  @Test(arguments: ["journal", "tables"])
  func aDamagedFileIsNoticed(_ kind: String) throws {
    try create()
    let whole = try Data(contentsOf: URL(fileURLWithPath: file(kind)))
    try Data(repeating: 0x5a, count: whole.count).write(to: URL(fileURLWithPath: file(kind)))
    #expect(isCorrupt)
    try Data().write(to: URL(fileURLWithPath: file(kind)))
    #expect(isCorrupt || errorOfOpening() == .missing(file(kind)))
  }

  private var isCorrupt: Bool {
    if case .corrupt = errorOfOpening() { return true }
    return false
  }

  @Test
  func aNewColumnHasItsDefaultInOldRows() throws {
    let old = try SQLiteStore(
      directory: directory.path, name: "test", tables: [TableDescription(OldRow.self)],
      options: SQLiteOptions(createIfMissing: true))
    try old.commit(batch(1) { $0.put(OldRow(key: 1, name: "folded")) }, time: 1)
    _ = try old.fold()
    try old.commit(batch(2) { $0.put(OldRow(key: 2, name: "not yet")) }, time: 2)
    old.close()

    let tables = [TableDescription(NewRow.self)] + sampleTables
    let new = try openSQLite(directory, tables: tables)
    #expect(try rows(new).map(\.name) == ["folded", "not yet"])
    #expect(try rows(new).allSatisfy { $0 == NewRow(key: $0.key, name: $0.name) })
    try new.commit(batch(3) { $0.put(NewRow(key: 3, name: "new", title: "x")) }, time: 3)
    while try new.fold() {}
    #expect(try rows(new).map(\.title) == ["it's", "it's", "x"])
    new.close()

    #expect(throws: StoreError.newerTable("changing", found: 5, known: 2)) {
      try openSQLite(directory, tables: [TableDescription(OldRow.self)])
    }
  }

  @Test("a table with its former name gets the one that it has now, with its rows")
  func aRenamedTableKeepsItsRows() throws {
    let old = try openSQLite(
      directory, SQLiteOptions(createIfMissing: true),
      tables: [TableDescription(OldRow.self)] + sampleTables)
    try old.commit(batch(1) { $0.put(OldRow(key: 1, name: "folded")) }, time: 1)
    _ = try old.fold()
    try old.commit(batch(2) { $0.put(OldRow(key: 2, name: "not yet")) }, time: 2)
    old.close()
    let tables = [TableDescription(RenamedRow.self)] + sampleTables
    #expect(try look(tables) == .whole(lastTime: 2))
    for _ in 1...2 {
      let new = try openSQLite(directory, tables: tables)
      var names: [String] = []
      try new.load(tables[0]) { names.append(try RenamedRow(decoding: $0).name) }
      #expect(names.sorted() == ["folded", "not yet"])
      while try new.fold() {}
      new.close()
    }
    #expect(throws: StoreError.unknownTables(["renamed"])) {
      try openSQLite(directory, tables: [TableDescription(OldRow.self)] + sampleTables)
    }
  }

  private func rows(_ store: SQLiteStore) throws -> [NewRow] {
    var rows: [NewRow] = []
    try store.load(TableDescription(NewRow.self)) { rows.append(try NewRow(decoding: $0)) }
    return rows.sorted { $0.key < $1.key }
  }
}

struct OldRow: Row {
  var key: UInt32 = 0
  var name = ""
  static var tableID: UInt16 { 50 }
  static var tableName: String { "changing" }
  mutating func fields<V: FieldVisitor>(_ visit: inout V) {
    visit.field("key", &key)
    visit.field("name", &name)
  }
}

struct RenamedRow: Row {
  var key: UInt32 = 0
  var name = ""
  var title = ""
  static var tableID: UInt16 { 50 }
  static var tableName: String { "renamed" }
  static var formerTableName: String? { "changing" }
  mutating func fields<V: FieldVisitor>(_ visit: inout V) {
    visit.field("key", &key)
    visit.field("name", &name)
    visit.field("title", &title)
  }
}

struct NewRow: Row {
  var key: UInt32 = 0
  var name = ""
  var title = "it's"
  var ratio = 0.5
  var seal = Bytes([0, 255, 16])
  static var tableID: UInt16 { 50 }
  static var tableName: String { "changing" }
  mutating func fields<V: FieldVisitor>(_ visit: inout V) {
    visit.field("key", &key)
    visit.field("name", &name)
    visit.field("title", &title)
    visit.field("ratio", &ratio)
    visit.field("seal", &seal)
  }
}
