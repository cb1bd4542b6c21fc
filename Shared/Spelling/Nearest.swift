/// Finds the word that somebody meant who has mistyped it.
package enum Nearest {
  /// Returns the candidate that is the fewest letters away; nil when none is near.
  package static func to(_ text: String, among candidates: [String]) -> String? {
    let near = candidates.map { (candidate: $0, distance: distance(text, $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= min(2, text.count / 2) else { return nil }
    return near.candidate
  }

  /// The same, but a word of which only the beginning was typed counts as near too; the shortest
  /// one where there are several.
  package static func to(_ text: String, amongOrBeginning candidates: [String]) -> String? {
    if let near = to(text, among: candidates) { return near }
    guard text.count >= 3 else { return nil }
    return candidates.filter { $0.hasPrefix(text) }.min { $0.count < $1.count }
  }

  /// How many letters are to be added, removed or replaced to make one text of the other
  /// (Levenshtein).
  package static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for index in right.indices {
        let replaced = diagonal + (right[index] == letter ? 0 : 1)
        diagonal = row[index + 1]
        row[index + 1] = min(replaced, row[index] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }
}
