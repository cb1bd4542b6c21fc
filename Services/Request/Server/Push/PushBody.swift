import Operations
import RequestCore
import Wire

/// What the push hook's endpoint is told of an event, in JSON. The run book describes it.
enum PushBody {
  private static let known = Dictionary(
    uniqueKeysWithValues: StreamEvents.all.map { ($0.opcode, $0) })

  static func bytes(_ row: PushQueueRow, _ event: BeginPush.Reply) -> [UInt8] {
    let kind = Opcode(rawValue: event.kind)
    let type = known[kind]
    var members: [Tree.Member] = [
      .init(name: "id", value: .text(row.key.event.description)),
      .init(name: "player", value: .text(row.player.description)),
      .init(name: "sequence", value: .unsigned(row.sequence)),
      .init(name: "game", value: .text(row.game)),
      .init(name: "time", value: .integer(event.time)),
      .init(name: "kind", value: type.map { .text($0.name) } ?? .null),
      .init(name: "number", value: .unsigned(UInt64(event.kind))),
    ]
    if let fields = type.flatMap({ fields(event.body.array, of: $0) }) {
      members.append(.init(name: "event", value: fields))
    } else {
      members.append(.init(name: "body", value: .bytes(event.body.array)))
    }
    return Array(JSONText.of(.object(members)).utf8)
  }

  private static func fields(_ body: [UInt8], of type: any Event.Type) -> Tree? {
    (try? type.init(decoding: body))?.tree
  }
}
