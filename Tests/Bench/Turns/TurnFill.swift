import ContextCore
import Domain
import Storage
import Wire

/// Writes a context service's store with open turn-based games, by the service's own rules and
/// through its own journal and tables.
struct TurnFill {
  /// Games in one batch of the journal.
  private static let perBatch = 1_000

  private final class Gathered { var changes = RowChanges() }

  let directory: String
  let game: String
  /// Of the clock, in milliseconds since 1970: no turn must be over when the store is opened.
  let now: Int64

  func run(games: Int) throws {
    let store = try SQLiteStore(
      directory: directory, name: Service.context.name,
      tables: Engine.tables(of: ContextCore.self),
      options: SQLiteOptions(createIfMissing: true))
    let engine = Engine(
      core: ContextCore(), partition: .whole, store: store.storeID, lastBatch: store.lastBatch,
      lastTime: store.lastTime, clock: now, random: .seeded(1))
    let gathered = Gathered()
    let trial = TurnTrial(engine, game: game, clock: now) { gathered.changes.append($0) }
    for start in stride(from: 0, to: games, by: Self.perBatch) {
      for number in start..<min(games, start + Self.perBatch) { trial.open(number) }
      try store.commit(Batch(number: engine.batch, changes: gathered.changes), time: now)
      while try store.fold() {}
      gathered.changes = RowChanges()
      engine.startBatch()
    }
    store.close()
  }
}
