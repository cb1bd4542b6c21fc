public import Wire

/// Sent by a player: returns what the caller may know of several players. Changes nothing.
///
/// Errors: `limitReached` or `invalidArgument` (players: more than `ProfileLimits.profilesMax`).
/// Cost: three look-ups at each player's key, where a block holds from when it was acknowledged;
/// the gateway asks there side by side, so that it takes two ways back and forth, however many the
/// players are and wherever they live.
public struct GetProfiles: Operation {
  public static let opcode = Opcode(.request, 0x81)
  public static var isReadOnly: Bool { true }
  public static var needs: [FactNeed] { [.fact(FetchProfile.self, at: .each("players"))] }
  public var players: [PlayerID] = []
  public init() {}
  public init(of players: [PlayerID]) { self.players = players }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("players", &players)
  }

  public var fault: Failure? {
    if players.count <= ProfileLimits.profilesMax { return nil }
    return Failure(
      .invalidArgument, argument: "players",
      "One call is about at most \(ProfileLimits.profilesMax) players.")
  }

  public struct Reply: Message {
    /// One for each player of the call, in the order of the call.
    public var profiles: [Profile] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("profiles", &profiles)
    }
  }

  /// The calls that ask for the profiles of any number of players, each of whom is asked for once.
  public static func calls(about players: [PlayerID]) -> [GetProfiles] {
    var seen: Set<PlayerID> = []
    let distinct = players.filter { seen.insert($0).inserted }
    return stride(from: 0, to: distinct.count, by: ProfileLimits.profilesMax).map { start in
      GetProfiles(of: Array(distinct[start...].prefix(ProfileLimits.profilesMax)))
    }
  }
}
