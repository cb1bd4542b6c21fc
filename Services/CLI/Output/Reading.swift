import MusterKit

/// What it takes to read a reply: the names of the players that it tells of.
struct Reading: Sendable {
  /// Those that the reply itself has no name for.
  var namesAskedFor: [PlayerID: String] = [:]
  /// Those that stand beside their players in the reply.
  var namesInReply: [PlayerID: String] = [:]
  /// The player who reads.
  var reader: PlayerID?

  /// Returns a player's name; empty where it is not known.
  func name(_ player: PlayerID) -> String { namesInReply[player] ?? namesAskedFor[player] ?? "" }

  /// Returns who that is, for a sentence: the name, or else the id.
  func who(_ player: PlayerID) -> String {
    if player.isNil { return "nobody" }
    if player == reader { return "you" }
    let name = name(player)
    return name.isEmpty ? player.description : name
  }

  /// Returns whose something is: "your", or "Ada's".
  func whose(_ player: PlayerID) -> String { player == reader ? "your" : "\(who(player))'s" }

  func who(_ players: [PlayerID]) -> String {
    players.isEmpty ? "nobody" : players.map { who($0) }.joined(separator: ", ")
  }
}

/// The names of players, each of whom is asked for once.
actor PlayerNames {
  private let client: MusterClient
  private var known: [PlayerID: String] = [:]
  /// How long a list waits for names when whoever knows them does not answer.
  private static let patience = Duration.seconds(2)

  init(_ client: MusterClient) { self.client = client }

  /// A list without names is better than none, so a failure is nothing but missing names.
  func reading(of message: some Message) async -> Reading {
    var collector = PlayerCollector()
    collector.visit(message)
    var reading = await reading(of: collector.players.subtracting(collector.names.keys))
    reading.namesInReply = collector.names
    return reading
  }

  func reading(of players: Set<PlayerID>) async -> Reading {
    var reading = Reading(reader: client.session?.player)
    // A session tells its own player's.
    if let reader = reading.reader { known[reader] = client.session?.displayName }
    for operation in GetProfiles.calls(about: players.filter { known[$0] == nil }.sorted()) {
      guard let reply = try? await client.call(operation, deadline: Self.patience) else { break }
      for profile in reply.profiles { known[profile.player] = profile.displayName }
    }
    for player in players { reading.namesAskedFor[player] = known[player] }
    return reading
  }
}

/// Finds the players that a message tells of, however deep, and the names that it has for them.
struct PlayerCollector: FieldVisitor {
  private(set) var players: Set<PlayerID> = []
  private(set) var names: [PlayerID: String] = [:]
  /// The last player of the message that is visited.
  private var last: PlayerID?

  mutating func visit(_ message: some Message) {
    let outer = last
    last = nil
    var copy = message
    copy.fields(&self)
    last = outer
  }

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    switch value {
    case let player as PlayerID: note(player)
    case let list as [PlayerID]: for player in list { note(player) }
    case let text as String where "\(name)" == "displayName" || "\(name)" == "senderName":
      if let last, !text.isEmpty { names[last] = text }
    case let message as any Message: visit(message)
    case let list as [any Message]: for message in list { visit(message) }
    default: break
    }
  }

  private mutating func note(_ player: PlayerID) {
    guard !player.isNil else { return }
    players.insert(player)
    last = player
  }
}
