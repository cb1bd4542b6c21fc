import BenchPlayers
import Operations
import Wire

/// Rank reads: as the game's own server, which may ask for and submit everybody's scores, so that the
/// whole of a filled board is touched.
extension LoadClient {
  /// As the operator: what the game's server signs in with.
  func fetchServerCredential(_ done: @escaping (String) -> Void) {
    var fetch = GameServerCredential()
    fetch.game = plan.game
    call(fetch) { done($0.credential) }
  }

  func beginAsServer(_ credential: String, _ ready: @escaping () -> Void) {
    var signIn = SignInGameServer()
    signIn.game = plan.game
    signIn.credential = credential
    call(signIn) { _ in ready() }
  }

  /// Asks for a random player's rank, waits for the answer, and asks the next; some calls submit.
  func ask() {
    guard report.isOpen else { return }
    // One number for all: the system's randomness costs a call into the kernel.
    let number = random.next()
    let isWrite = number & 0xffff_ffff < UInt64(plan.writesPercent) << 32 / 100
    let count = isWrite && plan.writers > 0 ? plan.writers : plan.players
    let player = FilledBoard.player(
      plan.players - count + Int(number.multipliedFullWidth(by: UInt64(count)).high))
    if isWrite {
      submit(Int64(bitPattern: number &* 0x9e37_79b9_7f4a_7c15), of: player)
    } else {
      askRank(of: player)
    }
  }

  private func askRank(of player: PlayerID) {
    var operation = RankOfPlayer()
    operation.board = plan.board
    operation.player = player
    let began = ContinuousClock.now
    call(operation) { [self] reply in
      guard let entry = reply.entry else { return report.fail("a filled board lacks a player") }
      report.took(ContinuousClock.now - began, checksum: UInt64(entry.rank))
      ask()
    }
  }

  private func submit(_ value: Int64, of player: PlayerID) {
    counter += 1
    var operation = SubmitScore()
    operation.board = plan.board
    operation.player = player
    operation.value = value
    let began = ContinuousClock.now
    call(operation) { [self] reply in
      report.took(ContinuousClock.now - began, checksum: UInt64(reply.entry.rank))
      ask()
    }
  }
}
