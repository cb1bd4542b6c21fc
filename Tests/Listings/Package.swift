// swift-tools-version: 6.2
//
// The listings of the mission's documents as a package outside of this repository has them:
// `.ci/check listings` copies this folder to `.build/listings` and writes the sources there.

import PackageDescription

let modes: [(name: String, mode: SwiftLanguageMode)] = [("5", .v5), ("6", .v6)]
/// A program for each of these: the listings, and what runs them against a stack.
let programs = ["Contexts", "Requests", "RequestExample", "Counter", "Challenges"]

/// The counter app's class is not isolated, and sends itself to the main queue: in Swift 6 that
/// compiles, with Apple's SDK too, where an app is on the main actor unless it says otherwise, as
/// Xcode makes new apps.
let onMainActor = ["Counter6"]

let libraries = ["MusterKit", "GameKitCompat", "GamingServicesCompat"].map {
  Target.Dependency.product(name: $0, package: "muster")
}

let package = Package(
  name: "listings",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "muster", path: "../..")],
  targets: [
    .target(
      name: "StandIns", dependencies: [.product(name: "GameKitCompat", package: "muster")],
      path: "StandIns"),
    .target(
      name: "PlayKit", dependencies: [.product(name: "MusterKit", package: "muster")],
      path: "Play/Kit"),
    .target(name: "Articles", dependencies: libraries, path: "Articles"),
  ]
    + modes.flatMap { mode in
      programs.map { name in
        .executableTarget(
          name: "\(name)\(mode.name)", dependencies: ["StandIns", "PlayKit"] + libraries,
          path: "Sources/\(mode.name)/\(name)",
          swiftSettings: [.swiftLanguageMode(mode.mode)]
            + (onMainActor.contains(name + mode.name) ? [.defaultIsolation(MainActor.self)] : []))
      }
    }
)
