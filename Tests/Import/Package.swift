// swift-tools-version: 6.2
//
// A package of somebody else's that depends on this one by path. Not part of the root package;
// `.ci/import-check` builds and runs it.

import PackageDescription

let package = Package(
  name: "import-check",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "muster", path: "../..")],
  targets: [
    .executableTarget(
      name: "import-check",
      dependencies: [
        .product(name: "MusterKit", package: "muster"),
        .product(name: "GamingServicesCompat", package: "muster"),
        .product(name: "GameKitCompat", package: "muster"),
      ],
      path: ".", sources: ["main.swift"],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
