public import Foundation
internal import MusterKit

/// A board; one that starts anew is loaded as one of its occurrences.
///
/// Games of today load boards, and then their entries. Older ones make a `GKLeaderboard`, say by
/// its properties what they want, and call `loadScores`.
@preconcurrency @MainActor
public final class GKLeaderboard {
  /// The board's name.
  public var identifier: String? {
    didSet { if identifier != oldValue { forget() } }
  }
  /// Whose entries `loadScores` loads. It does not count for a list of players.
  public var playerScope = PlayerScope.global
  /// How far back attempts count for `loadScores`. It does not count for a board that starts anew.
  public var timeScope = TimeScope.allTime
  /// The ranks that `loadScores` loads, from 1; at most 100. It does not count for a list of
  /// players.
  public var range = NSRange(location: 1, length: 25)

  // The results of the last `loadScores`.

  public internal(set) var scores: [GKScore]?
  /// The local player's entry in the scope, also if it is outside the range; nil when there is
  /// none.
  public internal(set) var localPlayerScore: GKScore?
  /// How many entries the scope has in all.
  public internal(set) var maxRange = 0
  var loads = 0

  /// The players whose entries `loadScores` loads; nil for those of the player scope.
  let players: [GKPlayer]?
  /// What the server has said of the board last.
  private(set) var known: LoadedBoard?
  /// The occurrence that this object is about; nil for whichever is open.
  private(set) var occurrence: Occurrence?
  private var setTitle: String?

  /// Makes a query of the best scores of all players and of all time.
  public init() { players = nil }

  /// Makes a query of the scores of these players.
  public init(players: [GKPlayer]) { self.players = players }

  /// A board that was loaded.
  init(_ board: LoadedBoard, _ occurrence: Occurrence?) {
    players = nil
    identifier = board.definition.board
    (known, self.occurrence) = (board, occurrence)
  }

  /// A board of a set of which the server says no more to this player.
  init(_ member: LeaderboardSetMember) {
    players = nil
    identifier = member.board
    setTitle = member.title
  }

  /// The board's name, as `identifier`; empty where that is nil.
  public var baseLeaderboardID: String { identifier ?? "" }
  /// The board's title, once it was loaded.
  public var title: String? { known?.definition.title ?? setTitle }
  /// Always nil: boards here belong to one game, and not to a group of games.
  public var groupIdentifier: String? { nil }
  public var isLoading: Bool { loads > 0 }

  // MARK: Occurrences

  /// `classic` also for a board that was not loaded yet.
  public var type: LeaderboardType {
    known?.definition.recurrence == nil ? .classic : .recurring
  }
  /// When the occurrence begins, or has begun; nil on a classic board.
  public var startDate: Date? { shown.map { Date(milliseconds: $0.start) } }
  /// When the next occurrence begins, by this device's rules of time zones; nil on a classic board.
  public var nextStartDate: Date? {
    guard let shown, let recurrence = known?.definition.recurrence else { return nil }
    return recurrence.occurrence(shown.number + 1).map { Date(milliseconds: $0.start) }
  }
  /// How many seconds the occurrence takes scores; 0 on a classic board.
  public var duration: TimeInterval {
    shown.map { TimeInterval($0.end - $0.start) / 1000 } ?? 0
  }

  private var shown: Occurrence? { occurrence ?? known?.current }

  private func forget() { (known, occurrence, setTitle) = (nil, nil, nil) }

  /// Returns what the server says of the board. It is asked once about a classic board, and each
  /// time about one whose occurrences follow each other.
  ///
  /// - Parameter name: the board's name when the game has called; it may have changed since.
  func described(_ name: String, _ client: any GameKitClient) async throws(GKError) -> LoadedBoard {
    if let known, name == identifier, known.definition.recurrence == nil { return known }
    let board = try await client.board(name)
    if name == identifier { known = board }
    return board
  }
}

extension GameKitClient {
  func board(_ name: String) async throws(GKError) -> LoadedBoard {
    var operation = DescribeLeaderboard()
    operation.board = name
    return LoadedBoard(try await call(operation))
  }
}
