/// The listeners that the game has registered, none of which is kept alive.
@MainActor
struct ListenerList {
  private struct Entry {
    weak var listener: (any GKLocalPlayerListener)?
  }

  private var entries: [Entry] = []

  /// Those who are there, in the order in which they came.
  var live: [any GKLocalPlayerListener] { entries.compactMap(\.listener) }

  mutating func add(_ listener: any GKLocalPlayerListener) {
    remove { $0 === listener }
    entries.append(Entry(listener: listener))
  }

  mutating func remove(where isGone: (any GKLocalPlayerListener) -> Bool) {
    entries.removeAll { $0.listener.map(isGone) ?? true }
  }
}
