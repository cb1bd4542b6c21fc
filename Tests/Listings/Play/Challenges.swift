import GameKitCompat
import MusterKit
import PlayKit

/// Runs the counterparts of the listings about challenges: Ada and Ben challenge each other.
@main @MainActor
struct ChallengesPlay {
  static func main() async { await Play.run { try await ChallengesPlay(play: $0).run() } }

  let play: Play
  let game = ChallengeListings()

  /// A red disc of 16 pixels, as a PNG.
  private static let photo = """
    iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX////WTDCm06pZAAAAJklEQVR42mNgYGBgf8DA\
    /4FB/geD/R+G+n/oCCgIlAIqACpjYAAAnEIRX83CMnEAAAAASUVORK5CYII=
    """
  private static let (boss, cave) = ("MyGame.bossDefeated", "MyGame.caveFound")

  func run() async throws {
    let ada = try await play.player("Ada")
    let ben = try await play.player("Ben")
    try await ada.befriend(ben)
    GameKit.configure(client: ada.client)
    _ = try await GKLocalPlayer.local.loadFriends()
    try await challengeWithAchievement(ben)
    try await proposeLesserMortals(ben)
    try await completeChallenge(of: ben, by: ada)
  }

  private func presented(_ expected: String) async throws {
    for await line in game.presented.stream {
      play.output.tell("    | \(line)")
      return try play.expect(line == expected, "the game was given: \(expected)")
    }
  }

  private func challengeWithAchievement(_ ben: Player) async throws {
    let screen = MyAchievementChallengeViewController()
    game.storyboard["achievementChallenge"] = { screen }
    game.bossMonsterDefeated()
    try play.expect(game.presentedViewController === screen, "the screen is shown")
    play.ran("003", "6-1", "reported the achievement and showed the screen")
    try play.expect(
      screen.achievement?.identifier == Self.boss && screen.delegate === game,
      "the screen has the achievement")
    play.ran("003", "6-2", "gave the screen its achievement and its delegate")
    (screen.players, screen.message) = ([ben.identifier.description], "Now you")
    screen.close(issued: true)
    let received = try await ben.event(ChallengeReceived.self).challenge
    try play.expect(
      received.message == "Now you" && received.achievement == Self.boss,
      "Ben has received the challenge")
    play.ran("003", "6-3", "issued the challenge, and its receiver has it")
    game.challengePlayers(toCompleteAchievement: GKAchievement(identifier: Self.boss))
    try await presented("players: \(ben.identifier)")
    play.ran("003", "6-5", "proposed the friend who can still complete it")
  }

  private func proposeLesserMortals(_ ben: Player) async throws {
    let score = GKScore(leaderboardIdentifier: "points")
    score.value = 90
    try await score.report()
    var submit = SubmitScore()
    (submit.board, submit.value) = ("points", 40)
    _ = try await ben.client.call(submit)
    game.challengeLesserMortals(forScore: 90, inCategory: "points")
    try await presented("scores: Ben 40")
    play.ran("003", "6-4", "proposed the friend with the lower score, and not the player")
  }

  private func completeChallenge(of ben: Player, by ada: Player) async throws {
    try await ben.client.setPhoto([UInt8](Data(base64Encoded: Self.photo) ?? Data()))
    var report = ReportAchievements()
    report.reports = [AchievementReport()]
    (report.reports[0].achievement, report.reports[0].percentComplete) = (Self.cave, 100)
    _ = try await ben.client.call(report)
    game.installChallengeHandler()
    var banners: [ChallengeNotice.Kind] = []
    GameKit.showChallengeBanner = { _, kind in
      banners.append(kind)
      return false
    }
    _ = try await ben.client.issueChallenge(
      toEarn: Self.cave, receivers: [ada.identifier], message: "Find it too")
    _ = try await ada.event(ChallengeReceived.self)
    game.showChallengesList()
    try await presented("challenges: Find it too")
    play.ran("003", "6-6", "listed the challenge that the friend has issued")
    let achievement = GKAchievement(identifier: Self.cave)
    achievement.percentComplete = 100
    try await GKAchievement.report([achievement])
    try await presented("Ben, a photo: true")
    play.ran("003", "6-7", "was told of the completion")
    try play.expect(banners == [.received], "the banner of the completion was suppressed")
    play.ran("003", "6-8", "suppressed the banner")
    play.ran("003", "6-9", "loaded the issuer's name and photo")
  }
}
