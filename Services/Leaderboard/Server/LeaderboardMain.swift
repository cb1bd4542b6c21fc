import LeaderboardCore
import ServiceKit

@main
enum LeaderboardMain {
  static func main() async {
    await ServiceProcess<LeaderboardCore>.run(
      summary: "leaderboards and challenges of Muster, the social backend for games",
      prepare: { $0.calendar = SystemCalendar() })
  }
}
