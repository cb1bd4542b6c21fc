import Testing
import Wire

@testable import Domain

/// The tables that keep effects: their columns and bytes are those of stores that are there.
struct EffectRowTests {
  private static let content =
    "0003 0000000000000005 0009 00000000000000010000000000000002 "
    + "00000004 67616d65 00000002 0708 "
  private static let incarnation = "0000000000000006 "
  private static let trace = "0000000000000003 0000000000000004 "
  private static let time = "0000000000000008 "

  private var effect: StoredEffect {
    var effect = StoredEffect()
    (effect.key, effect.opcode) = (OutboxKey(slot: 3, sequence: 5), 9)
    (effect.routingKey, effect.game) = (RoutingKey(high: 1, low: 2), "game")
    (effect.body, effect.incarnation) = (Bytes([7, 8]), 6)
    effect.trace = TraceID(high: 3, low: 4)
    return effect
  }

  private func columns<R: Row>(of row: R.Type) -> String {
    TableDescription(row).columns.map(\.name).joined(separator: " ")
  }

  @Test func anOpenEffectHasItsColumns() throws {
    let row = OutboxRow(effect, time: 8)
    #expect(
      columns(of: OutboxRow.self)
        == "slot sequence opcode routingKey game body incarnation trace time")
    #expect(hex(row.encoded) == bytes(Self.content + Self.incarnation + Self.trace + Self.time))
    #expect(try OutboxRow(decoding: row.encoded) == row)
  }

  @Test func aParkedEffectHasItsColumns() throws {
    var row = ParkedRow()
    row.effect = effect
    (row.failureCode, row.failureText, row.time) = (.invalidArgument, "no", 8)
    #expect(
      columns(of: ParkedRow.self)
        == "slot sequence opcode routingKey game body failureCode failureText time "
        + "incarnation trace")
    let failure = "0e " + "00000002 6e6f "
    #expect(
      hex(row.encoded)
        == bytes(Self.content + failure + Self.time + Self.incarnation + Self.trace))
    #expect(try ParkedRow(decoding: row.encoded) == row)
  }

  @Test func aRetainedEffectHasItsColumns() throws {
    let row = RetainedRow(effect, time: 8)
    #expect(
      columns(of: RetainedRow.self)
        == "slot sequence opcode routingKey game body incarnation time trace")
    #expect(hex(row.encoded) == bytes(Self.content + Self.incarnation + Self.time + Self.trace))
    #expect(try RetainedRow(decoding: row.encoded) == row)
  }

  @Test func aRowHasTheFieldsOfItsEffect() {
    var row = RetainedRow(effect, time: 8)
    #expect(row.key == effect.key && row.trace == effect.trace && row.body == effect.body)
    (row.key.slot, row.game) = (4, "other")
    #expect(row.effect.key.slot == 4 && row.effect.game == "other")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func bytes(_ text: String) -> String { text.filter { $0 != " " } }
}
