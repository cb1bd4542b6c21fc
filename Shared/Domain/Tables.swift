public import Wire

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
  }

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
      row: type, description: TableDescription(type, residence), subjects: subjects, take: take)
    let (id, name) = (R.tableID, R.tableName.lowercased())
    precondition(places[id] == nil, "two tables have the number \(id)")
    precondition(
      all.allSatisfy { $0.description.name.lowercased() != name }, "two tables are called \(name)")
    subjects.check(type)
    places[id] = all.count
    all.append(table)
  }

  /// Calls `rows` for each table that is loaded at the start, with the closure that takes one row.
  func load(
    _ rows: (TableDescription, (RawSpan) throws -> Void) throws -> Void
  ) rethrows {
    for table in all {
      if let take = table.take { try rows(table.description, take) }
    }
  }

  /// True when the row is about the player.
  ///
  /// - Parameter row: encoded, of the table with the number `table`, which must be registered.
  public func isAbout(_ trace: PlayerTrace, table: UInt16, row: [UInt8]) -> Bool {
    guard let place = places[table] else { preconditionFailure("there is no table \(table)") }
    return all[place].subjects != .nobody && trace.isIn(row)
  }
}
