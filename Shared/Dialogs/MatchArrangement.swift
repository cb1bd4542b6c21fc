/// The dialog in which a player says with whom to play.
public struct MatchArrangement: Sendable {
  public enum Choice: Sendable, Hashable {
    /// With whoever waits as well.
    case anybody
    /// With these friends; seats that stay free go to whoever waits.
    case friends([String], message: String)
  }

  /// How many players the match may have, the local one included.
  public var players: ClosedRange<Int>
  /// What friends are told, unless the player changes it.
  public var message: String
  /// The friends that the game suggests.
  public var suggested: [String]
  public var friends: @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>

  public init(
    players: ClosedRange<Int>, message: String, suggested: [String],
    friends: @escaping @MainActor @Sendable (_ search: String) -> DialogPages<FriendItem>
  ) {
    self.players = players
    self.message = message
    self.suggested = suggested
    self.friends = friends
  }
}

/// The dialog that is shown while a match is looked for.
public struct MatchSearch: Sendable {
  /// What is known of the search, as it changes.
  public struct State: Sendable, Hashable {
    /// What an invited friend has answered.
    public struct Answer: Sendable, Hashable {
      /// The friend's id where the name is not known.
      public var name: String
      public var answer: String

      public init(name: String, answer: String) {
        self.name = name
        self.answer = answer
      }
    }

    /// What invited friends have answered, by their ids: two may have one name.
    public var answers: [String: Answer]
    /// Half of those like the player waited no longer than this.
    public var usualWait: Duration?

    public init(answers: [String: Answer] = [:], usualWait: Duration? = nil) {
      self.answers = answers
      self.usualWait = usualWait
    }
  }

  public var states: AsyncStream<State>

  public init(_ states: AsyncStream<State>) { self.states = states }
}
