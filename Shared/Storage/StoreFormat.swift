/// Which rows a store has: it is written into the store when that is made, and compared whenever it
/// is opened.
///
/// A new table or column is no new format, because rows that lack it have its default. But no
/// version opens a store with a table or column that it does not know: so whoever gives up a table
/// writes a migration that drops it. A key that
/// is made of other parts is one, and so is a value with another meaning: rows of the old form
/// would be read without an error, and wrongly. Whoever raises `current` writes a migration from
/// the format before, and tests it with the store in `Tests/Stores` that was written in that
/// format.
public enum StoreFormat {
  public static let current = 2
  /// The oldest format that this version reads.
  public static let oldestKnown = 2
  /// The format of a store that does not name one.
  static let unnamed = 1
}
