import RequestCore
import ServiceKit

@main
enum RequestMain {
  static func main() async {
    await ServiceProcess<RequestCore>.run(
      summary:
        "players, friends, requests and event streams of Muster, the social backend for games",
      companion: companion)
  }

  static var companion: CompanionPlan<RequestCore> {
    var companion = PushHookPlan.companion
    companion.metrics = .accounts + companion.metrics
    companion.measure = { core, metrics in
      for (number, count) in core.deviceCountsByKey {
        metrics.gauge(.devicesByKey, "\(number)").set(count)
      }
    }
    return companion
  }
}
