import RequestCore
import ServiceKit

@main
enum RequestMain {
  static func main() async {
    await ServiceProcess<RequestCore>.run(
      summary:
        "players, friends, requests and event streams of Muster, the social backend for games",
      companion: PushHookPlan.companion)
  }
}
