// swift-tools-version: 6.2
//
// The listings of the mission's documents as a package outside of this repository has them:
// `.ci/check listings` copies this folder to `.build/listings` and writes the sources there.

import PackageDescription

let names = ["Contexts", "Requests", "RequestExample", "Counter"]
let modes: [(name: String, mode: SwiftLanguageMode)] = [("5", .v5), ("6", .v6)]

/// The counter app's class is not isolated, and sends itself to the main queue: in Swift 6 that
/// compiles, with Apple's SDK too, where an app is on the main actor unless it says otherwise, as
/// Xcode makes new apps.
let onMainActor = ["Counter6"]

let package = Package(
  name: "listings",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "muster", path: "../..")],
  targets: [
    .target(
      name: "StandIns", dependencies: [.product(name: "GameKitCompat", package: "muster")],
      path: "StandIns"),
    .target(
      name: "Articles",
      dependencies: [
        .product(name: "MusterKit", package: "muster"),
        .product(name: "GameKitCompat", package: "muster"),
        .product(name: "GamingServicesCompat", package: "muster"),
      ],
      path: "Articles"),
  ]
    + modes.flatMap { mode in
      names.map { name in
        .target(
          name: "\(name)\(mode.name)",
          dependencies: [
            "StandIns", .product(name: "GameKitCompat", package: "muster"),
            .product(name: "GamingServicesCompat", package: "muster"),
          ],
          path: "Sources/\(mode.name)/\(name)",
          swiftSettings: [.swiftLanguageMode(mode.mode)]
            + (onMainActor.contains(name + mode.name) ? [.defaultIsolation(MainActor.self)] : []))
      }
    }
)
