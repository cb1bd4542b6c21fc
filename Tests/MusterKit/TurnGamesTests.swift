import MusterKit
import Operations
import Testing
import Wire

@Suite struct TurnGamesTests {
  @Test("1.9 a conflict of a version carries the game as it is now")
  func staleMove() {
    var view = TurnGameView()
    view.info.version = 7
    view.state = Bytes([1, 2])
    let failure = Failure(
      .conflict, argument: "version", "It has changed.", detail: Bytes(view.encoded))
    #expect(MusterError(failure).turnGameView == view)
    #expect(MusterError(.conflict, "paused").turnGameView == nil)
    #expect(MusterError(.notAllowed, argument: "version", "").turnGameView == nil)
  }
}
