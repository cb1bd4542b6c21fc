import Domain

/// Finds names by a part of them, whatever its case. A search costs what the names are long.
struct NameSearch {
  private let wanted: [UInt8]

  init(_ text: String) { wanted = Self.folded(text) }

  /// True for every name where the search is empty.
  func matches(_ name: String) -> Bool {
    let name = Self.folded(name)
    if wanted.count > name.count { return false }
    return (0...(name.count - wanted.count)).contains { start in
      name[start..<start + wanted.count].elementsEqual(wanted)
    }
  }

  private static func folded(_ text: String) -> [UInt8] {
    Array(text.lowercased().inNormalForm.utf8)
  }
}
