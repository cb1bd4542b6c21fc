// swift-tools-version: 6.2
//
// The second map of the project: every target, bottom-up. A line may name only what stands above
// it.

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

/// Where what they test is optimized (`.ci/test`), tests are compiled as in development: to
/// optimize them takes longer than they run. `.ci/check optimized` does.
let unoptimized: [SwiftSetting] =
  Context.environment["OPTIMIZED_TESTS"] == nil ? strict + [.unsafeFlags(["-Onone"])] : strict

/// A service behind the gateway: its core, its process and its tests. Each list is what that one
/// needs besides what all services' need.
struct Service {
  var name: String
  var core: [Target.Dependency] = []
  var server: [Target.Dependency] = []
  var tests: [Target.Dependency] = []
}

/// The services behind the gateway, as their folders are called, in the order of `Service` in
/// `Shared/Wire`.
let services = [
  // Its tests read what the request service makes of its news.
  Service(name: "Context", tests: ["MusterKit", "RequestCore"]),
  // Its tests send hints as its process does.
  Service(
    name: "Request",
    server: ["Wire", "Operations", "Domain", "Storage", "Transport", "Outgoing"],
    tests: [
      "Locking", "Transport", "ServiceKit", "Storage", "Outgoing", "LocalServer", "muster-request",
    ]),
  // Its tests depend on the executable for its calendar.
  Service(
    name: "Leaderboard", core: ["Ranking"], server: ["Locking", "Operations"],
    tests: ["Ranking", "muster-leaderboard"]),
]
let cores = services.map { Target.Dependency(stringLiteral: "\($0.name)Core") }
let servers = (["Gateway"] + services.map(\.name)).map { "muster-\($0.lowercased())" }

func shared(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
  -> Target
{
  .target(
    name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude,
    swiftSettings: strict)
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
    swiftSettings: unoptimized)
}

func tool(_ name: String, _ dependencies: [Target.Dependency], _ folder: String) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/\(folder)", swiftSettings: strict)
}

/// What every service consists of.
func targets(of service: Service) -> [Target] {
  let all: [Target.Dependency] = ["Wire", "Operations", "Domain"]
  let own = Target.Dependency(stringLiteral: "\(service.name)Core")
  return [
    core(service.name, all + service.core),
    server(service.name, [own, "ServiceKit"] + service.server),
    tests(service.name, all + ["TestKit", own] + service.tests),
  ]
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
    .library(name: "TerminalDialogs", targets: ["TerminalDialogs"]),
    .executable(name: "muster", targets: ["muster"]),
    .executable(name: "collab-counter", targets: ["collab-counter"]),
  ] + servers.map { .executable(name: $0, targets: [$0]) },
  targets: [
    system("COpenSSL", "OpenSSL"),
    system("CUV", "UV"),
    system("CSQLite", "SQLite"),
    system("CJansson", "Jansson"),
    system("CCurl", "Curl"),

    shared("Locking"),
    shared("Spelling"),
    shared("Wire"),
    shared("Builds", ["Wire"]),
    shared("Terminal", ["Wire"]),
    shared("Operations", ["Wire"], exclude: ["protocol.json", "protocol.md"]),
    shared("Domain", ["Wire"]),
    shared("Storage", ["Locking", "Wire", "Domain", "CSQLite"]),
    shared("Transport", ["Locking", "Wire", "COpenSSL", "CUV"]),
    shared("Identity", ["Wire", "COpenSSL", "CJansson"]),
    shared("Outgoing", ["Locking", "Wire", "Transport", "CCurl"]),
    shared(
      "ServiceKit",
      ["Locking", "Spelling", "Builds", "Wire", "Operations", "Domain", "Storage", "Transport"]),
    shared("MusterKit", ["Locking", "Wire", "Operations", "Transport"]),
    shared("Dialogs"),
    shared("DialogLists", ["Wire", "Operations", "MusterKit", "Dialogs"]),
    shared(
      "GamingServicesCompat",
      ["Locking", "Wire", "Operations", "MusterKit", "Dialogs", "DialogLists"],
      exclude: ["moving.md"]),
    shared(
      "GameKitCompat", ["Locking", "Wire", "Operations", "MusterKit", "Dialogs", "DialogLists"],
      exclude: ["moving.md", "moving-scores.md"]),
    shared("TerminalDialogs", ["Locking", "Terminal", "Dialogs"]),
    shared("TestKit", ["Wire", "Domain"]),

    .target(name: "Ranking", path: "Services/Leaderboard/Ranking", swiftSettings: strict),
  ] + services.flatMap(targets) + [
    core("Gateway", ["Wire", "Operations", "Domain", "Identity"]),
    server(
      "Gateway",
      [
        "Locking", "Domain", "GatewayCore", "Wire", "Operations", "Transport", "Identity",
        "Outgoing", "ServiceKit",
      ]),
    .executableTarget(
      name: "muster",
      dependencies: [
        "Locking", "Spelling", "Builds", "Wire", "Terminal", "Operations", "MusterKit",
      ],
      path: "Services/CLI",
      swiftSettings: strict),
    .executableTarget(
      name: "collab-counter",
      dependencies: ["Terminal", "MusterKit", "GameKitCompat", "TerminalDialogs"],
      path: "Services/Counter", swiftSettings: strict),

    // Tests, and the tools of `make soak` and `make bench`.
    .target(
      name: "Catalog", dependencies: ["Wire", "Operations", "Domain", "GatewayCore"] + cores,
      path: "Tests/Catalog", swiftSettings: strict),
    .target(
      name: "CoreFuzz",
      dependencies: [
        "Wire", "Operations", "Domain", "TestKit", "ContextCore", "RequestCore", "LeaderboardCore",
      ], path: "Tests/Fuzz/Cores", swiftSettings: strict),
    .target(
      name: "PseudoTerminal", dependencies: ["Locking", "Terminal"], path: "Tests/PseudoTerminal",
      swiftSettings: strict),
    .target(
      name: "CounterPlay", dependencies: ["PseudoTerminal"], path: "Tests/Counter/Play",
      swiftSettings: strict),
    tool("play-counter", ["CounterPlay", "PseudoTerminal"], "Counter/Main"),
    tool("dialog-sample", ["Dialogs", "TerminalDialogs"], "TerminalDialogs/Sample"),
    .target(
      name: "Stack", dependencies: ["Locking", "Wire"], path: "Tests/Stack", swiftSettings: strict),
    .target(
      name: "Simulation",
      dependencies: [
        "Wire", "Operations", "Domain", "Storage", "ServiceKit", "Catalog", "ContextCore",
        "RequestCore", "LeaderboardCore", "GatewayCore", "Identity", "MusterKit",
      ],
      path: "Tests/Simulation/Kit", swiftSettings: strict),
    .target(
      name: "KillRounds",
      dependencies: ["Locking", "Wire", "Operations", "Transport", "MusterKit", "Stack"],
      path: "Tests/Soak/Rounds", swiftSettings: strict),
    .target(
      name: "RankRounds", dependencies: ["Domain", "Ranking"], path: "Tests/Ranking/Rounds",
      swiftSettings: strict),
    .target(
      name: "BenchPlayers", dependencies: ["Wire", "Operations"], path: "Tests/Bench/Players",
      swiftSettings: strict),
    .target(
      name: "BenchStack", dependencies: ["Stack"], path: "Tests/Bench/Stack",
      swiftSettings: strict),
    .target(
      name: "ReRankRounds",
      dependencies: [
        "Operations", "MusterKit", "Stack", "KillRounds", "BenchPlayers", "BenchStack",
      ],
      path: "Tests/Soak/ReRank", swiftSettings: strict),
    .target(
      name: "UpgradeRounds",
      dependencies: [
        "Locking", "Wire", "Operations", "Transport", "MusterKit", "Stack", "KillRounds", "CSQLite",
      ],
      path: "Tests/Soak/Upgrade", swiftSettings: strict),
    tool(
      "muster-soak", ["Stack", "KillRounds", "RankRounds", "ReRankRounds", "UpgradeRounds"],
      "Soak/Main"),
    .target(
      name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/PowerLoss/CFaultyDisk"),
    .target(
      name: "StoreRounds", dependencies: ["Wire", "Domain", "Storage", "CFaultyDisk"],
      path: "Tests/PowerLoss/Rounds", swiftSettings: strict),
    tool("powerloss", ["Wire", "Domain", "Storage", "StoreRounds"], "PowerLoss/Main"),
    tool("muster-protocol", ["Catalog"], "Tools/Protocol"),
    tool("muster-listings", [], "Tools/Listings"),
    tool("muster-simulate", ["Simulation"], "Simulation/Main"),
    tool(
      "muster-load",
      ["Wire", "Domain", "Operations", "Transport", "ServiceKit", "BenchPlayers"],
      "Bench/Load"),
    tool(
      "bench-fill",
      ["Wire", "Operations", "Domain", "Storage", "LeaderboardCore", "BenchPlayers"], "Bench/Fill"),
    tool("muster-bench", ["Wire", "Stack", "BenchStack"], "Bench/Main"),
    tool("bench-echo", ["Wire", "Transport"], "Bench/Echo"),
    tool(
      "bench-relay", ["Wire", "Domain", "Operations", "Transport", "ServiceKit"], "Bench/Relay"),
    .target(name: "BenchMachine", path: "Tests/Bench/Machine", swiftSettings: strict),
    tool("bench-index", ["Ranking", "BenchMachine"], "Bench/Index"),
    tool(
      "bench-client", ["Wire", "MusterKit", "ServiceKit", "BenchMachine", "BenchPlayers"],
      "Bench/Client"),
    tool("bench-timers", ["Wire", "Domain", "BenchMachine"], "Bench/Timers"),
    tool(
      "bench-queue", ["Wire", "Operations", "Domain", "ContextCore", "BenchMachine"],
      "Bench/Queue"),
    tool(
      "bench-turns",
      [
        "Wire", "Operations", "Domain", "Storage", "ContextCore", "BenchMachine", "BenchPlayers",
      ],
      "Bench/Turns"),
    tool("bench-answers", ["Wire", "Domain", "BenchMachine"], "Bench/Answers"),
    tool("bench-rerank", ["Wire", "Operations", "Domain", "LeaderboardCore"], "Bench/ReRank"),
    .target(name: "CAllocations", path: "Tests/Allocations/Counter"),
    tool(
      "muster-allocations",
      [
        "Wire", "Operations", "Domain", "Storage", "Transport", "ServiceKit", "ContextCore",
        "LeaderboardCore", "GatewayCore", "CAllocations",
      ],
      "Allocations/Main"),

    .target(
      name: "LocalServer", dependencies: ["Locking", "COpenSSL"], path: "Tests/LocalServer",
      swiftSettings: strict),

    tests("Spelling", ["Spelling"]),
    tests("Builds", ["Builds"]),
    tests("Wire", ["Wire", "Domain"]),
    tests("Terminal", ["Terminal"]),
    tests("TestKit", ["TestKit"]),
    tests("Domain", ["Wire", "Operations", "Domain", "TestKit"]),
    tests("Operations", ["Wire", "Operations", "Domain", "Catalog", "TestKit", "Transport"]),
    tests(
      "Storage",
      ["Locking", "Wire", "Domain", "Storage", "CSQLite", "StoreRounds", "TestKit"]),
    tests("Transport", ["Locking", "Wire", "Transport", "TestKit", "COpenSSL"]),
    tests(
      "Identity",
      [
        "Locking", "Wire", "Operations", "Domain", "Transport", "Identity", "Outgoing",
        "ServiceKit", "GatewayCore", "RequestCore", "muster-gateway", "COpenSSL", "TestKit",
        "LocalServer",
      ]),
    tests(
      "Outgoing",
      [
        "Locking", "Wire", "Domain", "Transport", "Outgoing", "COpenSSL", "TestKit", "LocalServer",
      ]),
    tests("MusterKit", ["Locking", "Wire", "Operations", "Transport", "MusterKit", "TestKit"]),
    tests("Dialogs", ["Dialogs"]),
    .testTarget(
      name: "CounterTests",
      dependencies: [
        "MusterKit", "GameKitCompat", "Terminal", "TerminalDialogs", "collab-counter",
      ],
      path: "Tests/Counter/Tests", swiftSettings: unoptimized),
    // Depends on the sample, so that it is built before the tests start it.
    .testTarget(
      name: "TerminalDialogsTests",
      dependencies: [
        "Terminal", "TerminalDialogs", "PseudoTerminal", "Stack", "TestKit", "dialog-sample",
      ],
      path: "Tests/TerminalDialogs/Tests", swiftSettings: unoptimized),
    .testTarget(
      name: "ListingsTests", dependencies: ["muster-listings"], path: "Tests/Listings/Tests",
      swiftSettings: unoptimized),
    tests(
      "GamingServicesCompat",
      [
        "Locking", "Wire", "Operations", "MusterKit", "Dialogs", "GamingServicesCompat", "TestKit",
      ]),
    tests(
      "GameKitCompat",
      ["Locking", "Wire", "Operations", "MusterKit", "Dialogs", "GameKitCompat", "TestKit"]),
    .testTarget(
      name: "RankingTests", dependencies: ["Domain", "Ranking", "RankRounds"],
      path: "Tests/Ranking/Tests", swiftSettings: unoptimized),
    tests("CLI", ["MusterKit", "Terminal", "Stack", "muster"]),
    // Besides the rules, tests the shell around them on a loop.
    tests(
      "Gateway",
      [
        "Locking", "Wire", "Operations", "Domain", "Transport", "ServiceKit", "GatewayCore",
        "ContextCore", "TestKit", "Stack", "muster-gateway",
      ]),
    .testTarget(
      name: "CoreFuzzTests", dependencies: ["CoreFuzz"], path: "Tests/Fuzz/Tests",
      swiftSettings: unoptimized),
    tests(
      "ServiceKit",
      [
        "Locking", "Wire", "Operations", "Domain", "Storage", "Transport", "ServiceKit", "TestKit",
        "Stack",
      ]),
    // Reads the lists of metrics of the processes that have ones of their own.
    tests("Metrics", ["Wire", "ServiceKit", "muster-gateway", "muster-request"]),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "TestKit"],
      path: "Tests/Simulation/Tests",
      swiftSettings: unoptimized),
    // Depends on the executables, so that they are built before the tests start them.
    tests(
      "System",
      [
        "Wire", "Operations", "Transport", "ServiceKit", "MusterKit", "Dialogs",
        "GamingServicesCompat", "GameKitCompat", "TestKit", "Catalog", "Stack",
        "Storage", "KillRounds", "Locking", "Outgoing", "LocalServer", "PseudoTerminal",
        "CounterPlay",
        "collab-counter",
        "ReRankRounds", "UpgradeRounds", "LeaderboardCore", "GatewayCore", "BenchPlayers",
        "BenchStack", "bench-fill",
        "bench-index",
        "bench-timers", "bench-queue", "bench-turns",
        "bench-answers",
        "bench-echo", "bench-relay",
        "muster-bench", "muster-load", "muster-soak", "muster", "muster-simulate", "powerloss",
        "muster-protocol",
      ] + servers.map { Target.Dependency(stringLiteral: $0) }),
  ]
)

// The fuzzer brings its own `main`, so its targets are here only when it is asked for.
if Context.environment["FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "fuzz-wire", dependencies: ["Wire", "Domain", "Catalog"], path: "Tests/Fuzz/Wire",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
  package.targets.append(
    .executableTarget(
      name: "fuzz-cores", dependencies: ["CoreFuzz"], path: "Tests/Fuzz/CoresMain",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
