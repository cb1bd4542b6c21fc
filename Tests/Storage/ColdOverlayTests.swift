import Domain
import TestKit
import Testing

@testable import Storage

@Suite("Cold overlay")
struct ColdOverlayTests {
  /// Beside a dictionary that is sorted anew for each range.
  @Test(
    "7.1 single rows and ranges are those of a model, before and after rows were sorted",
    arguments: 1...8)
  func besideModel(seed: UInt64) {
    var random = RandomSource.seeded(seed)
    var overlay = ColdOverlay()
    var model: [[UInt8]: (number: UInt64, row: [UInt8]?)] = [:]
    func key() -> [UInt8] {
      [.random(in: 0...3, using: &random), .random(in: 0...255, using: &random)]
    }
    for number in UInt64(1)...3_000 {
      let (one, other) = (key(), key())
      let row: [UInt8]? = Bool.random(using: &random) ? [UInt8(number & 255)] : nil
      overlay.put(one, .init(number: number, row: row))
      model[one] = (number, row)
      let folded = UInt64.random(in: 0...number, using: &random)
      overlay.drop(other, to: folded)
      if let last = model[other], last.number <= folded { model[other] = nil }

      let single = overlay.rows(in: ColdRange(rowOf: 1, key: other))
      #expect(single.map(\.key) == (model[other] == nil ? [] : [other]))
      #expect(single.first.map(\.row) == model[other].map(\.row))
      // The first range sorts the rows.
      guard number > 1_000, number.isMultiple(of: 50) else { continue }
      let isDescending = Bool.random(using: &random)
      let range = ColdRange(
        table: 1, from: min(one, other), through: max(one, other), limit: 5,
        isDescending: isDescending)
      var keys = model.keys.filter { range.contains($0) }.sorted {
        $0.lexicographicallyPrecedes($1)
      }
      if isDescending { keys.reverse() }
      #expect(overlay.rows(in: range).map(\.key) == keys)
      #expect(overlay.rows(in: range).map(\.row) == keys.map { model[$0]?.row })
    }
  }

  private func min(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    one.lexicographicallyPrecedes(other) ? one : other
  }

  private func max(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    one.lexicographicallyPrecedes(other) ? other : one
  }
}
