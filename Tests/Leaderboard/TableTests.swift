import Domain
import Operations
import Testing
import Wire

@testable import LeaderboardCore

/// The tables as a store sees them, and the opcodes as the gateway does.
struct TableTests {
  @Test("every row goes through a store's cells and back")
  func cells() throws {
    try roundTrip(BoardRow.self)
    try roundTrip(EntryRow.self)
    try roundTrip(OpenChallengeRow.self)
    try roundTrip(PlayerChallengeRow.self)
    try roundTrip(AchievementRow.self)
    try roundTrip(ProgressRow.self)
    try roundTrip(ChallengePreferenceRow.self)
    try roundTrip(AttemptRow.self)
    try roundTrip(ArrivalRow.self)
    try roundTrip(OccurrenceRow.self)
    try roundTrip(OccurrenceEntryRow.self)
    try roundTrip(RecentAttemptRow.self)
    try roundTrip(PlayerMarkRow.self)
    try roundTrip(TicketRow.self)
    try roundTrip(LeaderboardSetRow.self)
    try roundTrip(LeaderboardTitleRow.self)
    try roundTrip(ReRankRow.self)
    try roundTrip(RankedEntryRow.self)
    try roundTrip(CompletedChallengeRow.self)
    try roundTrip(HistoryRow.self)
    try roundTrip(RankChangeRow.self)
    try roundTrip(PastEntryRow.self)
    try roundTrip(RankRunRow.self)
  }

  private func roundTrip<R: Row>(_ type: R.Type) throws {
    let table = TableDescription(type)
    let names = table.columns.map(\.name)
    #expect(Set(names).count == names.count, "\(names)")
    var random = RandomSource.seeded(5)
    for _ in 0..<50 {
      let row = R.arbitrary(using: &random)
      let bytes = row.encoded
      #expect(try R(decoding: bytes) == row)
      #expect(table.row(try table.cells(bytes)) == bytes)
      #expect(bytes.starts(with: row.key.keyBytes))
    }
  }

  @Test("tables and opcodes are this service's own")
  func numbers() {
    let ids = LeaderboardCore.tables.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0 >= 16 })
    let routes = LeaderboardCore().router.routes
    #expect(routes.count == 43)
    #expect(routes.keys.allSatisfy { $0.service == .leaderboard })
  }

  @Test("what crosses keys is for services only, or asks who is a friend")
  func routing() {
    for route in LeaderboardCore().router.routes.values {
      let crosses = route.routing == .firstIdentifier
      #expect(route.access.allows(.service) == (crosses && route.needs.isEmpty), "\(route.name)")
      #expect(!route.access.allows(.player) || !crosses || route.needs.contains(.friends))
      #expect(!route.access.allows(.anonymous))
    }
  }
}
