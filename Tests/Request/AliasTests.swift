import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// The name that a player has chosen besides the display name.
@Suite struct AliasTests {
  let world = World()

  private func set(_ alias: String?, _ player: PlayerID) throws {
    var set = SetProfile()
    (set.displayName, set.alias) = ("Anna", alias)
    try world.driver.call(set, as: player)
  }

  @Test("2.9 an alias stands beside the display name, in profiles and at sign-in")
  func alias() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    #expect(try world.driver.call(GetProfile(anna), as: ben).alias == "")
    try set("  e\u{301}lan  vital ", anna)
    try set(nil, anna)
    try world.restart()
    let profile = try world.driver.call(GetProfile(anna), as: ben)
    #expect(profile.displayName == "Anna")
    #expect(Array(profile.alias.utf8) == Array("\u{e9}lan vital".utf8))
    #expect(try world.open(anna).alias == profile.alias)
    try set("", anna)
    #expect(try world.driver.call(GetProfile(anna), as: ben).alias == "")
    #expect(try world.open(ben).alias == "")
  }

  @Test(
    "2.9 a wrong alias is refused by its name, and changes nothing",
    arguments: [
      " ", "a\nb", String(repeating: "a", count: 41), "\u{301}a",
      "a" + String(repeating: " ", count: ProfileRules.typedBytesMax),
    ])
  func limits(alias: String) throws {
    let anna = try world.player(1)
    let failure = try failure { try set(alias, anna) }
    #expect(failure?.code == .invalidArgument && failure?.argument == "alias")
    let profile = try world.driver.call(GetProfile(anna), as: anna)
    #expect(profile.displayName == "Player 1" && profile.alias == "")
  }

  @Test("2.9 each part of a profile is changed by itself, and the switch of presence can be read")
  func parts() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    #expect(try world.driver.call(GetProfile(anna), as: anna).showsPresence == true)
    var set = SetProfile()
    set.showsPresence = false
    try world.driver.call(set, as: anna)
    set = SetProfile()
    set.alias = "Ann"
    try world.driver.call(set, as: anna)
    set = SetProfile()
    set.displayName = "Anna"
    try world.driver.call(set, as: anna)
    try world.restart()
    let own = try world.driver.call(GetProfile(anna), as: anna)
    #expect(own.displayName == "Anna" && own.alias == "Ann" && own.showsPresence == false)
    #expect(try world.driver.call(GetProfile(anna), as: ben).showsPresence == nil)
    let fact = try world.driver.call(FetchProfile(of: anna), as: ben, kind: .service)
    #expect(fact.showsPresence == nil)
    try world.driver.call(SetProfile(), as: anna)
    #expect(try world.driver.call(GetProfile(anna), as: anna) == own)
  }
}
