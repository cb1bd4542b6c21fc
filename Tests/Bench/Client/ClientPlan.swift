import MusterKit

/// What `bench-client` is asked to do.
struct ClientPlan: Sendable {
  static let usage = """
    usage: bench-client --port N --authority PEM --operator-secret SECRET --board NAME --players N
      [--connections N] [--seconds N]
    """

  let game = "demo"
  private(set) var board = ""
  private(set) var players = 0
  private(set) var connections = 64
  private(set) var seconds = 5
  private var port: UInt16 = 0
  private var authority = ""
  private var operatorSecret = ""

  /// Returns nil for what cannot be read.
  init?(_ arguments: [String]) {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    for place in stride(from: 0, to: arguments.count, by: 2) {
      let (name, value) = (arguments[place], arguments[place + 1])
      switch (name, Int(value)) {
      case ("--port", let number?): port = UInt16(clamping: number)
      case ("--players", let number?): players = number
      case ("--connections", let number?): connections = number
      case ("--seconds", let number?): seconds = number
      case ("--board", _): board = value
      case ("--authority", _): authority = value
      case ("--operator-secret", _): operatorSecret = value
      default: return nil
      }
    }
    if port == 0 || players == 0 || board.isEmpty || authority.isEmpty { return nil }
  }

  var configuration: MusterConfiguration {
    MusterConfiguration(
      host: "localhost", port: port, game: game, trust: .authority(authority),
      callDeadline: .seconds(60))
  }

  /// A game's server may ask for everybody's rank.
  func serverCredential() async throws -> String {
    let client = MusterClient(configuration)
    try await client.signInOperator(secret: operatorSecret, game: game)
    var fetch = GameServerCredential()
    fetch.game = game
    let credential = try await client.call(fetch).credential
    await client.close()
    return credential
  }
}
