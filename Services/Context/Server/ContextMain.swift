import ContextCore
import ServiceKit

@main
enum ContextMain {
  static func main() async {
    await ServiceProcess<ContextCore>.run(
      summary: "contexts, turns and matches of Muster, the social backend for games")
  }
}
