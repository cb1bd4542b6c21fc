import Domain
import Operations
import RequestCore
import Synchronization
import TestKit
import Wire

/// The list of recent players as the request service itself shows it after one piece of news of the
/// context service. Of blocks it knows what each player's own key has acknowledged; no news of them
/// has come to the other's.
struct RecentPlayersList {
  private let driver: CoreDriver<RequestCore>

  private init(game: String) { driver = CoreDriver(game: game) }

  private struct Question: Hashable {
    var game: String
    var news: [UInt8]
    var blocks: [PlayerID: Set<PlayerID>]
  }

  /// Worlds are built hundreds of times alike, and half of that time was this service's making.
  private static let known = Mutex<[Question: [UInt8]]>([:])

  /// Returns the reply that the player reads whom the news is for.
  static func bytes(
    after news: RecordRecentPlayers, in game: String, blocks: [PlayerID: Set<PlayerID>]
  ) throws -> [UInt8] {
    let question = Question(game: game, news: news.encoded, blocks: blocks)
    if let known = known.withLock({ $0[question] }) { return known }
    let bytes = try RecentPlayersList(game: game).bytes(after: news, blocks: blocks)
    known.withLock { $0[question] = bytes }
    return bytes
  }

  private func bytes(
    after news: RecordRecentPlayers, blocks: [PlayerID: Set<PlayerID>]
  ) throws -> [UInt8] {
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
