// swift-tools-version: 6.2
//
// The second map of the project: every target, bottom-up. A line may name only what stands above it.

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func shared(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: strict)
}

/// The pure rules of a service: no sockets, no store, no clock.
func core(_ service: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: "\(service)Core", dependencies: dependencies, path: "Services/\(service)/Core",
    swiftSettings: strict)
}

func server(_ service: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "muster-\(service.lowercased())", dependencies: dependencies,
    path: "Services/\(service)/Server", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [])
  -> Target
{
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)", resources: resources,
    swiftSettings: strict)
}

func system(_ name: String, _ folder: String) -> Target {
  .systemLibrary(name: name, path: "Shared/CSystem/\(folder)")
}

let package = Package(
  name: "muster",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "MusterKit", targets: ["MusterKit"]),
    .library(name: "GamingServicesCompat", targets: ["GamingServicesCompat"]),
    .library(name: "GameKitCompat", targets: ["GameKitCompat"]),
    .executable(name: "muster", targets: ["muster"]),
    .executable(name: "muster-gateway", targets: ["muster-gateway"]),
    .executable(name: "muster-context", targets: ["muster-context"]),
    .executable(name: "muster-request", targets: ["muster-request"]),
    .executable(name: "muster-leaderboard", targets: ["muster-leaderboard"]),
  ],
  targets: [
    system("COpenSSL", "OpenSSL"),
    system("CUV", "UV"),
    system("CSQLite", "SQLite"),

    shared("Wire"),
    shared("Operations", ["Wire"]),
    shared("Domain", ["Wire"]),
    shared("Storage", ["Wire", "Domain", "CSQLite"]),
    shared("Transport", ["Wire", "COpenSSL", "CUV"]),
    shared("ServiceKit", ["Wire", "Operations", "Domain", "Storage", "Transport"]),
    shared("MusterKit", ["Wire", "Operations", "Transport"]),
    shared("GamingServicesCompat", ["Wire", "Operations", "MusterKit"]),
    shared("GameKitCompat", ["Wire", "Operations", "MusterKit"]),
    shared("TestKit", ["Wire", "Domain"]),

    core("Context", ["Wire", "Operations", "Domain"]),
    core("Request", ["Wire", "Operations", "Domain"]),
    core("Leaderboard", ["Wire", "Operations", "Domain"]),
    core("Gateway", ["Wire", "Operations"]),
    server("Context", ["ContextCore", "ServiceKit"]),
    server("Request", ["RequestCore", "ServiceKit"]),
    server("Leaderboard", ["LeaderboardCore", "ServiceKit"]),
    server("Gateway", ["GatewayCore", "Wire", "Operations", "Transport", "ServiceKit"]),
    .executableTarget(
      name: "muster", dependencies: ["Wire", "Operations", "MusterKit"], path: "Services/CLI",
      swiftSettings: strict),

    .target(
      name: "Stack", dependencies: ["Wire"], path: "Tests/Stack", swiftSettings: strict),
    .target(
      name: "KillRounds", dependencies: ["Wire", "Operations", "Transport", "MusterKit", "Stack"],
      path: "Tests/Soak/Rounds", swiftSettings: strict),
    .executableTarget(
      name: "muster-soak", dependencies: ["Stack", "KillRounds"], path: "Tests/Soak/Main",
      swiftSettings: strict),
    // Depends on the executables, so that they are built before the tests start them.
    tests(
      "System",
      [
        "Wire", "Operations", "Transport", "ServiceKit", "MusterKit", "Stack", "KillRounds",
        "GatewayCore", "muster", "muster-gateway", "muster-context", "muster-request",
        "muster-leaderboard",
      ]),

    .executableTarget(
      name: "muster-load", dependencies: ["Wire", "Operations", "Transport", "ServiceKit"],
      path: "Tests/Bench/Load", swiftSettings: strict),

    tests("Context", ["Wire", "Operations", "Domain", "TestKit", "MusterKit", "ContextCore"]),
    tests("Wire", ["Wire", "Domain"]),
    tests("Domain", ["Wire", "Domain", "TestKit"]),
    tests("Request", ["Wire", "Operations", "Domain", "TestKit", "RequestCore"]),
    tests("Leaderboard", ["Wire", "Operations", "Domain", "TestKit", "LeaderboardCore"]),
    .target(
      name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/PowerLoss/CFaultyDisk"),
    .target(
      name: "StoreRounds", dependencies: ["Wire", "Domain", "Storage", "CFaultyDisk"],
      path: "Tests/PowerLoss/Rounds", swiftSettings: strict),
    .executableTarget(
      name: "powerloss", dependencies: ["Wire", "Domain", "Storage", "StoreRounds"],
      path: "Tests/PowerLoss/Main", swiftSettings: strict),
    tests("Storage", ["Wire", "Domain", "Storage", "CSQLite", "StoreRounds"]),
    tests("Transport", ["Wire", "Transport"]),
    tests("MusterKit", ["Wire", "Operations", "Transport", "MusterKit"]),
    .executableTarget(
      name: "bench-echo", dependencies: ["Wire", "Transport"], path: "Tests/Bench/Echo",
      swiftSettings: strict),
  ]
)
