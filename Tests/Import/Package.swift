// swift-tools-version: 6.0
//
// Games of somebody else's that depend on this package by path, a game for each library. Not part
// of the root package: `.ci/import-check` copies this folder out of the repository, and builds it
// with the line above, whose language mode is that of Swift 6, and with 5.9, whose is that of 5.

import PackageDescription

func game(_ name: String, _ libraries: String...) -> Target {
  .executableTarget(
    name: name, dependencies: libraries.map { .product(name: $0, package: "muster") })
}

let package = Package(
  name: "games",
  platforms: [.macOS("15.0")],
  dependencies: [.package(name: "muster", path: "../..")],
  targets: [
    game("MusterKitGame", "MusterKit"),
    game("GamingServicesGame", "GamingServicesCompat", "MusterKit"),
    game("GameKitGame", "GameKitCompat", "MusterKit"),
    game("TerminalGame", "GamingServicesCompat", "GameKitCompat", "TerminalDialogs", "MusterKit"),
  ]
)
