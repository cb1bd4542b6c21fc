internal import MusterKit

extension GKLeaderboard {
  /// Loads boards by their names, in that order. One that does not exist is left out.
  ///
  /// - Parameters:
  ///   - leaderboardIDs: the names; nil loads all boards of the game, ordered by name.
  ///   - completionHandler: gets the boards; of those that start anew, the occurrence that is open
  ///     or, in a gap, was open last.
  public static func loadLeaderboards(
    IDs leaderboardIDs: [String]?,
    completionHandler: @escaping @MainActor ([GKLeaderboard]?, (any Error)?) -> Void
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load(leaderboardIDs) }
  }

  public static func loadLeaderboards(IDs leaderboardIDs: [String]?) async throws
    -> [GKLeaderboard]
  {
    try await load(leaderboardIDs)
  }

  /// Loads all boards of the game, ordered by name.
  public static func loadLeaderboards(
    completionHandler: (@MainActor ([GKLeaderboard]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in try await load(nil) }
  }

  public static func loadLeaderboards() async throws -> [GKLeaderboard] { try await load(nil) }

  /// Loads the names and titles of all boards of the game, ordered by name.
  public static func loadCategories(
    completionHandler: (@MainActor ([String]?, [String]?, (any Error)?) -> Void)? = nil
  ) {
    complete({ boards, error in
      let names = boards?.map(\.baseLeaderboardID)
      completionHandler?(names, boards?.map { $0.title ?? "" }, error)
    }) { () async throws(GKError) in try await load(nil) }
  }

  public static func loadCategories() async throws -> ([String], [String]) {
    let boards = try await load(nil)
    return (boards.map(\.baseLeaderboardID), boards.map { $0.title ?? "" })
  }

  /// Boards have no images here: the handler gets an error.
  public func loadImage<Image>(
    completionHandler: (@MainActor (Image?, (any Error)?) -> Void)?
  ) {
    complete(completionHandler) { () async throws(GKError) in throw .noImage }
  }

  public func loadImage<Image>() async throws -> Image { throw GKError.noImage }

  private static func load(_ names: [String]?) async throws(GKError) -> [GKLeaderboard] {
    let client = try GameKit.signedInClient()
    if let names { return try await client.boards(names).compactMap { $0 } }
    var (list, loaded) = (ListLeaderboards(), [GKLeaderboard]())
    repeat {
      let page = try await client.call(list)
      loaded += try await client.boards(page.boards.map(\.board)).compactMap { $0 }
      list.cursor = page.cursor
    } while !list.cursor.isEmpty
    return loaded
  }
}

extension GameKitClient {
  /// Asks about all boards at once; returns nil for those that do not exist.
  @MainActor
  func boards(_ names: [String]) async throws(GKError) -> [GKLeaderboard?] {
    let loads = names.map { name in
      Task { () -> Result<LoadedBoard, GKError> in
        do throws(GKError) { return .success(try await board(name)) } catch {
          return .failure(error)
        }
      }
    }
    var boards: [GKLeaderboard?] = []
    for load in loads {
      switch await load.value {
      case .success(let board): boards.append(GKLeaderboard(board, board.current))
      case .failure(let error) where error.failure == .notFound: boards.append(nil)
      case .failure(let error): throw error
      }
    }
    return boards
  }

  /// Returns the boards of a set in its order.
  @MainActor
  func boards(ofSet set: String) async throws(GKError) -> [GKLeaderboard] {
    var operation = DescribeLeaderboardSet()
    operation.set = set
    let members = try await call(operation).boards
    let boards = try await boards(members.map(\.board))
    return zip(members, boards).map { member, board in board ?? GKLeaderboard(member) }
  }
}

extension GKError {
  static var noImage: GKError {
    GKError(.notFound, argument: "image", "Boards and achievements have no images.")
  }
}
