import MusterKit
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a command works with: its arguments, its output, and clients that sign in at their first
/// use.
final class Session: Sendable {
  let arguments: Arguments
  let output: Output
  let settings: ClientSettings
  let players: StoredPlayers

  init(arguments: Arguments, settings: ClientSettings, output: Output) {
    self.arguments = arguments
    self.settings = settings
    self.output = output
    players = StoredPlayers(directory: settings.playersDirectory)
  }

  /// The name under which this command's player is stored.
  var playerName: String { settings.player }

  func word(_ index: Int, _ name: String) throws(UsageError) -> String {
    guard arguments.words.indices.contains(index) else { throw UsageError("\(name) is missing.") }
    return arguments.words[index]
  }

  func optionalWord(_ index: Int) -> String? {
    arguments.words.indices.contains(index) ? arguments.words[index] : nil
  }

  /// Returns the player with an id, or of a credential that is stored here under a name.
  func player(_ text: String) throws(UsageError) -> PlayerID {
    if let player = PlayerID(text) { return player }
    if let credential = try? players.load(text) { return credential.player }
    throw UsageError.missing(
      "\(text) is neither a player id nor a player stored here\(players.others). "
        + "`muster friend list` shows the ids of friends.")
  }

  func identifier<K>(_ text: String, _ name: String) throws(UsageError) -> Identifier<K> {
    guard let identifier = Identifier<K>(text) else {
      throw UsageError("\(name) is an id of 26 letters and digits, not \(text).")
    }
    return identifier
  }

  /// The text of a file on this machine: of what is too secret, or too long, for a command line.
  func text(ofFile path: String) throws(UsageError) -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw UsageError.missing("\(path) cannot be read.")
    }
    return text
  }

  /// Puts a text into a file that only its owner can read.
  func write(_ text: String, toSecretFile path: String) throws(ResultFileError) {
    let file = try ResultFile(path)
    do throws(ResultFileError) {
      try file.write(text + "\n")
      try file.finish()
    } catch {
      file.discard()
      throw error
    }
  }

  /// The context that a word of the command line names, the first one by default.
  func context(_ place: Int = 0) throws(UsageError) -> ContextID {
    try identifier(word(place, "CONTEXT"), "CONTEXT")
  }

  /// Returns whether a word of the command line is `yes`, and not `no`.
  func isYes(_ place: Int) throws(UsageError) -> Bool {
    switch try word(place, "yes or no") {
    case "yes": true
    case "no": false
    case let other: throw UsageError("Answer yes or no, not \(other).")
    }
  }

  /// Returns whether an option is `yes`, and not `no`; nil where the option is not given.
  func isYes(_ option: String) throws(UsageError) -> Bool? {
    switch arguments[option] {
    case nil: nil
    case "yes": true
    case "no": false
    case let other?: throw UsageError("--\(option) is yes or no, not \(other).")
    }
  }

  func integer<Value: FixedWidthInteger>(_ text: String, _ name: String) throws(UsageError) -> Value
  {
    guard let value = Value(text) else {
      throw UsageError(
        "\(name) is a whole number from \(Value.min) to \(Value.max), not \(text).")
    }
    return value
  }

  /// Returns the value that a word of the command line names.
  func named<Value: OpenEnum>(_ text: String, _ name: String) throws(UsageError) -> Value {
    if let value = Value(named: text) { return value }
    throw UsageError("\(name) is one of \(Value.names.joined(separator: ", ")), not \(text).")
  }

  /// Returns the value that an option names; nil where the option is not given.
  func named<Value: OpenEnum>(_ option: String) throws(UsageError) -> Value? {
    guard let text = arguments[option] else { return nil }
    return try named(text, "--\(option)") as Value
  }

  /// Returns a date in milliseconds since 1970.
  func date(_ text: String, _ name: String) throws(UsageError) -> Int64 {
    if let milliseconds = Int64(text) { return milliseconds }
    let day = Date.ISO8601FormatStyle().year().month().day()
    for style in [Date.ISO8601FormatStyle(), day] {
      if let date = try? style.parse(text) { return Int64(date.timeIntervalSince1970 * 1000) }
    }
    throw UsageError(
      "\(name) is a date like 2026-11-20 or 2026-11-20T18:30:00Z, or milliseconds since 1970, "
        + "not \(text).")
  }

  // MARK: Clients

  func anonymousClient() -> MusterClient { MusterClient(settings.configuration) }

  /// Runs `body` with this command's player signed in.
  func asPlayer<Value: Sendable>(_ body: (MusterClient) async throws -> Value) async throws -> Value
  {
    guard let credential = try players.load(playerName) else {
      throw UsageError.missing(
        "No player is stored as \(players.place(playerName)); make one with "
          + "`muster signup DISPLAY-NAME`, or name another with --as NAME\(players.others).")
    }
    let client = anonymousClient()
    try await client.signIn(credential)
    return try await run(body, client)
  }

  /// Runs `body` and closes its client.
  private func run<Value: Sendable>(
    _ body: (MusterClient) async throws -> Value, _ client: MusterClient
  ) async throws -> Value {
    do {
      let value = try await body(client)
      await client.close()
      return value
    } catch {
      await client.close()
      throw error
    }
  }

  /// Runs `body` with this command's player signed in; where no such player is stored, as the
  /// operator if the secret is here.
  func asPlayerOrOperator<Value: Sendable>(_ body: (MusterClient) async throws -> Value)
    async throws -> Value
  {
    if try players.load(playerName) == nil, try settings.operatorSecret() != nil {
      return try await asOperator(nil, body)
    }
    return try await asPlayer(body)
  }

  /// Calls one operation as this command's player and shows its reply.
  func show<O: MusterKit.Operation>(_ operation: O) async throws {
    try await asPlayer { try await show($0.call(operation), from: $0) }
  }

  /// Shows what a player's client was told, with the names of those whom it is about.
  func show(_ reply: some Message, from client: MusterClient) async {
    output.show(reply, output.isJSON ? Reading() : await PlayerNames(client).reading(of: reply))
  }

  /// Runs `body` as the deployment's operator. `game` and `configuration` are this command's where
  /// nil.
  func asOperator<Value: Sendable>(
    _ configuration: MusterConfiguration? = nil, game: String? = nil,
    _ body: (MusterClient) async throws -> Value
  ) async throws -> Value {
    guard let secret = try settings.operatorSecret() else {
      throw UsageError.missing(
        "This is for the operator: set MUSTER_OPERATOR_SECRET to the operator's secret, or "
          + "operator-secret-file in the file that MUSTER_CLIENT names to the file that has it.")
    }
    let client = MusterClient(configuration ?? settings.configuration)
    try await client.signInOperator(secret: secret, game: game ?? settings.configuration.game)
    return try await run(body, client)
  }

  /// Runs `body` as the server of this command's game.
  func asGameServer<Value: Sendable>(
    _ credential: String, _ body: (MusterClient) async throws -> Value
  ) async throws -> Value {
    let client = anonymousClient()
    try await client.signInGameServer(game: settings.configuration.game, credential: credential)
    return try await run(body, client)
  }
}

/// Credentials in files that only their owner can read, one file for each player.
struct StoredPlayers: Sendable {
  var directory: URL

  /// Where a player of a name is stored, for people.
  func place(_ name: String) -> String { "\"\(name)\" in \(directory.path)" }

  /// Who is stored, for people; empty when nobody is.
  var others: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    let shown = names.filter { !$0.hasPrefix(".") }.sorted().prefix(10)
    return shown.isEmpty ? "" : " (stored: \(shown.joined(separator: ", ")))"
  }

  func load(_ name: String) throws -> Credential? {
    let file = try file(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let text = try String(contentsOf: file, encoding: .utf8)
    // Nobody's: of a command that was ended while it signed up.
    if text.isEmpty { return nil }
    guard let credential = Credential(text: text.trimmed)
    else { throw UsageError.missing("\(file.path) does not hold a credential.") }
    return credential
  }

  /// Makes a player, or a device of one, and stores its credential. The room for it is taken
  /// before: a player whose credential is nowhere would be on the server for ever.
  ///
  /// - Parameter credential: the one that `make` has returned.
  func store<Made>(
    _ credential: (Made) -> Credential, as name: String, making make: () async throws -> Made
  ) async throws -> Made {
    let path = try file(name).path
    let file = try reserved(path)
    let made: Made
    do {
      made = try await make()
    } catch {
      file.giveUp()
      throw error
    }
    do throws(ReservedFile.Fault) {
      try file.keep(credential(made).text + "\n")
    } catch {
      throw ResultFileError(
        text: "Player \(credential(made).player) is made, and \(path) cannot be written: \(error).")
    }
    return made
  }

  private func reserved(_ path: String) throws -> ReservedFile {
    let isThere: Void? = try? FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    if isThere == nil { throw ResultFileError(text: "\(directory.path) cannot be made.") }
    do throws(ReservedFile.Fault) {
      return try ReservedFile(path)
    } catch {
      throw ResultFileError(text: "\(path) cannot be written: \(error).")
    }
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: file(name)) }

  private func file(_ name: String) throws(UsageError) -> URL {
    let isPlain =
      !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".")
      && name.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || $0.properties.numericType != nil
            || "-_.".unicodeScalars.contains($0))
      }
    guard isPlain else {
      throw UsageError("A stored player's name has letters, digits, dots, dashes and underscores.")
    }
    return directory.appendingPathComponent(name)
  }
}
