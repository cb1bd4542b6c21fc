public import Wire

/// What was read of a table at the start: about what its rows take in memory then.
public struct LoadedTable: Sendable {
  public let name: String
  public internal(set) var rowCount = 0
  /// Of the encoded rows.
  public internal(set) var byteCount = 0
}

/// The tables of one service. Each is registered once, with its row, where its rows are, what takes
/// them at the start, and which players they are about (see `RowSubjects`). Stores and loading
/// follow from that.
///
/// Registering traps where two tables would have one number or one name, and where a row cannot say
/// which players it is about.
public struct Tables {
  /// Tables below this number belong to the engine, the others to the service's core.
  public static let coreNumberMin: UInt16 = 16

  public struct Table {
    public let row: any Row.Type
    public let description: TableDescription
    public let subjects: RowSubjects
    /// Takes one stored row at the start, whose bytes are lent; nil where nothing of them is in
    /// memory.
    fileprivate let take: ((RawSpan) throws(WireError) -> Void)?
    /// Makes a stored row forget a player; nil where nobody has said how.
    fileprivate(set) var erase: Erase?
    /// Players with each of whom the row goes, by whatever id.
    fileprivate(set) var others: (([UInt8]) -> [PlayerID])?
    /// The encoded key of an encoded row, the rest of which may be unreadable.
    let key: ([UInt8]) throws(Stop) -> [UInt8]
  }

  public typealias Erase = (_ row: [UInt8], Erasure, inout Transaction) throws(Stop) -> Void

  public private(set) var all: [Table] = []
  private var places: [UInt16: Int] = [:]

  public init() {}

  public var descriptions: [TableDescription] { all.map(\.description) }

  /// A table whose rows are in memory: `take` gets each stored one at the start, in no particular
  /// order.
  ///
  /// Inlinable, so that the module of the row has code of its own to decode it: one for all types
  /// takes several times as long, and there are millions of rows.
  @inlinable
  public mutating func resident<R: Row>(
    _ type: R.Type, about subjects: RowSubjects = .playersInFields, _ take: @escaping (R) -> Void
  ) {
    add(type, .resident, subjects) { (bytes: RawSpan) throws(WireError) in
      take(try R(decoding: bytes))
    }
  }

  /// A table whose rows stay in the store until a command reads them.
  public mutating func cold<R: Row>(_ type: R.Type, about subjects: RowSubjects = .playersInFields)
  {
    add(type, .cold, subjects, take: nil)
  }

  /// A cold table of which something is in memory, such as what finds its rows: `index` gets each
  /// stored one at the start.
  @inlinable
  public mutating func cold<R: Row>(
    _ type: R.Type, about subjects: RowSubjects = .playersInFields,
    index: @escaping (R) -> Void
  ) {
    add(type, .cold, subjects) { (bytes: RawSpan) throws(WireError) in
      index(try R(decoding: bytes))
    }
  }

  @usableFromInline
  mutating func add<R: Row>(
    _ type: R.Type, _ residence: Residence, _ subjects: RowSubjects,
    take: ((RawSpan) throws(WireError) -> Void)?
  ) {
    let table = Table(
      row: type, description: TableDescription(type, residence), subjects: subjects, take: take,
      erase: residence == .cold ? Self.eraser(of: type) : nil,
      key: { (bytes) throws(Stop) in try Self.key(of: type, bytes) })
    let (id, name) = (R.tableID, R.tableName.lowercased())
    precondition(places[id] == nil, "two tables have the number \(id)")
    precondition(
      all.allSatisfy { $0.description.name.lowercased() != name }, "two tables are called \(name)")
    subjects.check(type)
    places[id] = all.count
    all.append(table)
  }

  // MARK: Erasure

  /// Says how a row of a table forgets a player: `erase` gets the row as it is stored, removes it,
  /// or puts it with the stand-in in the player's place and without what the player wrote. Where
  /// the row is in memory, the one in memory counts. It may ask for other rows before it changes
  /// anything.
  ///
  /// For a cold table there is no need to say it, unless its rows keep encoded messages: a row that
  /// is the player's alone is removed, and of any other there is left what `Erasure.rest` says.
  public mutating func erases<R: Row>(
    _ type: R.Type, _ erase: @escaping (R, Erasure, inout Transaction) throws(Stop) -> Void
  ) {
    guard let place = places[R.tableID] else {
      preconditionFailure("\(R.tableName) is to be erased and is not registered")
    }
    all[place].erase = { (bytes, erasure, transaction) throws(Stop) in
      try erase(Self.row(type, bytes), erasure, &transaction)
    }
  }

  /// Says that a row goes with any of `others`, also where only a stand-in is named: what an erased
  /// player has sent may come, in the stand-in's name, before the news of the erasure.
  public mutating func goes<R: Row>(_ type: R.Type, with others: @escaping (R) -> [PlayerID]) {
    guard let place = places[R.tableID] else {
      preconditionFailure("\(R.tableName) goes with another player and is not registered")
    }
    all[place].others = { (bytes) in (try? Self.row(type, bytes)).map(others) ?? [] }
  }

  private static func eraser<R: Row>(of type: R.Type) -> Erase {
    { (bytes, erasure, transaction) throws(Stop) in
      let row = try Self.row(type, bytes)
      transaction.remove(type, row.key)
      if let rest = erasure.rest(of: row) { transaction.put(rest) }
    }
  }

  private static func key<R: Row>(of type: R.Type, _ row: [UInt8]) throws(Stop) -> [UInt8] {
    let end = Reader.read(row) { reader in
      _ = R.Key.decode(from: &reader)
      return reader.position
    }
    guard case .success(let count) = end else {
      throw .refuse(.unavailable, "The key of a stored row of \(R.tableName) cannot be read.")
    }
    return Array(row[..<count])
  }

  static func row<R: Row>(_ type: R.Type, _ bytes: [UInt8]) throws(Stop) -> R {
    do {
      return try R(decoding: bytes)
    } catch {
      throw .refuse(.unavailable, "A stored row of \(R.tableName) cannot be read: \(error).")
    }
  }

  /// The first table about players whose number is at least `id`.
  func nextAboutPlayers(from id: UInt16) -> Table? {
    all.filter { $0.subjects.arePlayers && $0.description.id >= id }
      .min { $0.description.id < $1.description.id }
  }

  /// Tables about players of which nobody has said how they forget one.
  package var withoutErasure: [String] {
    all.filter { $0.subjects.arePlayers && $0.erase == nil }.map(\.description.name)
  }

  /// Calls `rows` for each table that is loaded at the start, with the closure that takes one row.
  func load(
    _ rows: (TableDescription, (RawSpan) throws -> Void) throws -> Void
  ) rethrows -> [LoadedTable] {
    var loaded: [LoadedTable] = []
    for table in all {
      guard let take = table.take else { continue }
      var counts = LoadedTable(name: table.description.name)
      try rows(table.description) { row in
        try take(row)
        counts.rowCount += 1
        counts.byteCount += row.byteCount
      }
      loaded.append(counts)
    }
    return loaded
  }

  /// True when the row is about the player.
  ///
  /// - Parameter row: encoded, of the table with the number `table`, which must be registered.
  public func isAbout(_ trace: PlayerTrace, table: UInt16, row: [UInt8]) -> Bool {
    guard let place = places[table] else { preconditionFailure("there is no table \(table)") }
    return all[place].subjects.arePlayers && trace.isIn(row)
  }
}
