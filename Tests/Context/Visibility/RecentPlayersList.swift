import Domain
import Operations
import RequestCore
import TestKit
import Wire

/// The list of recent players as the request service itself shows it after one piece of news of the
/// context service. Of blocks it knows what each player's own key has acknowledged; no news of them
/// has come to the other's.
struct RecentPlayersList {
  private let driver: CoreDriver<RequestCore>

  init(game: String) { driver = CoreDriver(game: game) }

  /// Returns the reply that the player reads whom the news is for.
  func bytes(after news: RecordRecentPlayers, blocks: [PlayerID: Set<PlayerID>]) throws -> [UInt8] {
    let players = Set([news.player] + news.others).sorted()
    for player in players { try register(player) }
    for player in players {
      for other in (blocks[player] ?? []).sorted() {
        var block = BlockPlayer()
        block.player = other
        try driver.call(block, as: player)
      }
    }
    try driver.call(news, as: PlayerID(), kind: .service)
    var facts = Facts()
    var list = ListRecentPlayers()
    list.limit = UInt32(RecentPlayerLimits.pageMax)
    while true {
      do {
        return try driver.call(list, as: news.player, facts: facts).encoded
      } catch let failure as Failure where failure.code == .factRequired {
        for key in try FactDemand(decoding: failure.detail.array).keys {
          let player = PlayerID(reinterpreting: key)
          let profile = try driver.call(
            FetchProfile(of: player), as: news.player, kind: .service)
          facts.all.append(Fact(FetchProfile.self, at: player, profile))
        }
      }
    }
  }

  private func register(_ player: PlayerID) throws {
    var registration = RegisterDevice()
    (registration.player, registration.device) = (player, DeviceID(reinterpreting: player))
    registration.secretHash = KeyedHash(
      keyNumber: 1, hash: Bytes([UInt8](repeating: 7, count: 32)))
    registration.displayName = "Somebody"
    try driver.call(registration, as: player, kind: .service)
    var open = OpenSession()
    (open.player, open.device) = (player, registration.device)
    open.secretHashes = [registration.secretHash]
    try driver.call(open, as: player, kind: .service)
  }
}
