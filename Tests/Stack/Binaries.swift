public import Foundation

/// The folder of the executables that were built together with the running one.
public enum Binaries {
  public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  static let folder: URL = {
    // The test runner's bundle and a tool of ours both lie in the build folder, beside the
    // services.
    let candidates =
      Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [
        URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent(),
        Bundle.main.bundleURL,
      ]
    return candidates.first {
      FileManager.default.isExecutableFile(
        atPath: $0.appendingPathComponent("muster-gateway").path)
    } ?? Bundle.main.bundleURL
  }()
}
