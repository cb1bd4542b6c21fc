import Domain
import Outgoing
import RequestCore
import ServiceKit
import Transport

extension NumberSetting {
  static let pushHookSeconds = NumberSetting(
    "push-hook-seconds", .seconds, default: 15, 1...60,
    "How long the push hook's endpoint may take to answer.")
}

/// Where the push hook's calls go, and what signs them.
struct PushHookPlan: Sendable {
  var endpoint: HTTPSAddress
  var secrets: PushSecrets
  var client: HTTPSClient
  var delivery = PushSettings()

  /// An answer that got lost is given up so long after the call's own time.
  private static let lostMilliseconds: Int64 = 15_000

  static let companion = CompanionPlan<RequestCore>(
    settings: [
      Setting(
        "push-hook",
        "An https address: events of players who are away go there. Without it, there is no hook."),
      Setting(
        "push-hook-secret", isSecret: true,
        "Signs these calls: whsec_ and 24 to 64 random bytes in base 64. Or the new one and the "
          + "one before it, with a comma between: then both sign."),
      Setting(
        "push-hook-authority",
        "A PEM file of the authorities to trust for that address; without it, the system's."),
      Setting(.pushHookSeconds),
    ],
    metrics: .push,
    make: { configuration in
      guard let plan = try PushHookPlan(configuration) else { return nil }
      return { core in PushHook(plan, of: core) }
    })

  /// Nil where there is no push hook. The client is made here, so that a file of authorities that
  /// cannot be read ends the process at its start.
  init?(_ configuration: Configuration) throws {
    guard let text = configuration["push-hook"], !text.isEmpty else { return nil }
    do {
      endpoint = try HTTPSAddress(text)
    } catch {
      throw ConfigurationError("--push-hook: \(error).")
    }
    guard let secret = configuration["push-hook-secret"], !secret.isEmpty else {
      throw ConfigurationError("--push-hook needs --push-hook-secret.")
    }
    guard let secrets = PushSecrets(secret) else {
      throw ConfigurationError(
        "--push-hook-secret is whsec_ and base 64 of \(PushSecrets.sizes.lowerBound) to "
          + "\(PushSecrets.sizes.upperBound) bytes, or two of these with a comma between them.")
    }
    self.secrets = secrets
    let milliseconds = configuration.numbers[.pushHookSeconds]
    delivery.attemptMillisecondsMax = milliseconds + Self.lostMilliseconds
    var calls = HTTPSSettings()
    calls.callsMax = delivery.callsMax
    calls.callMillisecondsMax = Int(milliseconds)
    calls.connectMillisecondsMax = min(calls.connectMillisecondsMax, Int(milliseconds))
    calls.authorityFile = configuration["push-hook-authority"].flatMap { $0.isEmpty ? nil : $0 }
    do {
      client = try HTTPSClient(calls)
    } catch {
      throw ProcessShell.Fatal(.unavailable, "--push-hook-authority: \(error)")
    }
  }
}
