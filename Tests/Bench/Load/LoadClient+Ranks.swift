import BenchPlayers
import Domain
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
    question.player = player
    measure(question) { $0.entry.map { UInt64($0.rank) } }
  }
}
