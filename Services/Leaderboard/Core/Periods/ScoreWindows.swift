import Domain
import Operations
import Wire

/// Rolling windows over the attempts of the last 7 days: at any time each player's aggregate over
/// the last 24 hours and over the last 7 days, ranked.
///
/// All attempts stand in one queue, in the order in which they came. A window is a ranking and the
/// place in the queue of the first attempt that is still inside. Moving it on takes attempts out of
/// their players' entries one by one, in steps of any size. Only the attempts are stored.
///
/// For the best of a window, a player's candidates are those attempts that no later one beats: the
/// first of them inside a window is its best, and when that one leaves, the next one is. An attempt
/// is in that list once and leaves it once, so a submission costs O(log n) on average.
final class ScoreWindows {
  var attempts = Queue<Board.Entry>()
  /// The place of the queue's first attempt, counted from the first one that ever was in it.
  var firstPlace = 0
  var rankings: WindowRankings
  /// During a re-rank, the rankings that take their place, made attempt by attempt.
  var successor: WindowRankings?
  /// Attempts that do not count: single ones, and a player's up to an arrival.
  var voided: Set<UInt64> = []
  var floors: [PlayerID: UInt64] = [:]
  /// Players whose entries are being made anew from the attempts that count.
  var rebuild = WindowRebuild()

  init(of board: Board) { rankings = WindowRankings(of: board) }

  /// Attempts that one command may take out of windows, or look at for a rebuild, before others
  /// have their turn; a test makes it smaller.
  static var slideMax: Int { 4096 }
  var stepMax = ScoreWindows.slideMax
  /// Attempts that a rebuild may still have to look at while a query waits for it, turn by turn; a
  /// test makes it smaller.
  var waitMax = 16 * ScoreWindows.slideMax

  var isEmpty: Bool { attempts.isEmpty }
  var endPlace: Int { firstPlace + attempts.count }
  var allRankings: [WindowRankings] { successor.map { [rankings, $0] } ?? [rankings] }

  func adopt(_ row: BoardRow) { rankings.adopt(row) }

  func counts(_ attempt: Board.Entry) -> Bool {
    attempt.arrival > floors[attempt.player, default: 0] && !voided.contains(attempt.arrival)
  }

  // MARK: In

  func add(_ attempt: Board.Entry) {
    attempts.append(attempt)
    // A successor that is not whole yet takes the attempt in its turn.
    for rankings in allRankings where rankings.end == endPlace - 1 {
      // A rebuild of the player's entries takes it in its turn, too.
      if !rebuild.isOf(attempt.player) { enter(attempt, place: endPlace - 1, rankings) }
      rankings.end = endPlace
    }
  }

  func enter(_ attempt: Board.Entry, place: Int, _ rankings: WindowRankings) {
    guard counts(attempt) else { return }
    let order = rankings.definition.sortOrder
    if rankings.definition.aggregation == .best {
      while let last = rankings.candidates[attempt.player]?.last,
        order.isBetter(attempt.value, than: last.value)
      {
        rankings.candidates[attempt.player]?.removeLast()
      }
      rankings.candidates[attempt.player, default: []].append(attempt)
    }
    for window in rankings.windows where place >= window.beginPlace {
      switch rankings.definition.aggregation {
      case .latest: _ = window.board.put(attempt)
      case .sum: window.add(attempt)
      default: showBest(of: attempt.player, in: window, rankings)
      }
    }
  }

  // MARK: Out

  /// Moves both windows on by at most so many attempts; false when they have to move further.
  func slide(to now: Int64, atMost stepMax: Int) -> Bool {
    var left = stepMax
    guard advanceRebuild(&left) else { return false }
    for rankings in allRankings {
      for window in rankings.windows {
        while window.beginPlace < endPlace {
          let attempt = attempts[window.beginPlace - firstPlace]
          guard attempt.date <= now - window.length else { break }
          if left == 0 { return false }
          left -= 1
          window.beginPlace += 1
          if window.beginPlace <= rankings.end && counts(attempt) {
            leave(attempt, window, rankings)
          }
        }
      }
    }
    return true
  }

  private func leave(
    _ attempt: Board.Entry, _ window: ScoreWindow, _ rankings: WindowRankings
  ) {
    switch rankings.definition.aggregation {
    case .sum: window.subtract(attempt)
    case .latest:
      if window.board.entry(of: attempt.player)?.arrival == attempt.arrival {
        window.board.remove(attempt.player)
      }
    default:
      guard window.board.entry(of: attempt.player)?.arrival == attempt.arrival else { return }
      if window === rankings.longest { rankings.candidates[attempt.player]?.removeFirst() }
      showBest(of: attempt.player, in: window, rankings)
    }
  }

  /// Brings a player's entry up to the first candidate inside the window.
  private func showBest(
    of player: PlayerID, in window: ScoreWindow, _ rankings: WindowRankings
  ) {
    let first =
      window.beginPlace < endPlace ? attempts[window.beginPlace - firstPlace].arrival : .max
    guard let best = rankings.candidates[player]?.first(from: first) else {
      window.board.remove(player)
      if rankings.candidates[player]?.isEmpty == true { rankings.candidates[player] = nil }
      return
    }
    if window.board.entry(of: player) != best { _ = window.board.put(best) }
  }

  /// The ranking of a window as it is now, or a stop that lets others have their turn first. A long
  /// rebuild goes on by the board's timer, while the query does not take up room.
  func standing(length: Int64, at now: Int64) throws(Stop) -> Board {
    guard slide(to: now, atMost: stepMax) else {
      guard rebuildLeft > waitMax else { throw .again }
      throw .refused(
        .backpressure(.windowRebuild, argument: "timeScope", retryAfterMilliseconds: 1000))
    }
    guard let window = rankings.windows.first(where: { $0.length == length })
    else { throw .invalidArgument("timeScope", "The board has no such window.") }
    return window.board
  }
}

extension [Board.Entry] {
  /// Of attempts in order of arrival, the first that came then or later.
  fileprivate func first(from arrival: UInt64) -> Board.Entry? {
    let place = sortedCount { $0.arrival < arrival }
    return place < count ? self[place] : nil
  }
}
