/// What asked for the end of the current turn of a loop.
///
/// Two arrays take turns: one is served while the other gathers what asks meanwhile. Both keep
/// their memory, so that a turn allocates nothing.
struct TurnList<Element> {
  private var gathered: [Element] = []
  private var served: [Element] = []

  var isEmpty: Bool { gathered.isEmpty }

  mutating func append(_ element: Element) { gathered.append(element) }

  /// Empties the list and returns what was in it. Give the array back once all of it is served.
  mutating func take() -> [Element] {
    var taken: [Element] = []
    swap(&taken, &served)
    swap(&taken, &gathered)
    return taken
  }

  mutating func giveBack(_ taken: consuming [Element]) {
    taken.removeAll(keepingCapacity: true)
    served = taken
  }
}
