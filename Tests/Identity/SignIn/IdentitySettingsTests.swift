import Foundation
import GatewayCore
import Outgoing
import ServiceKit
import TestKit
import Testing

@testable import muster_gateway

/// What an operator may write of identity providers.
@Suite("Settings of identity providers")
struct IdentitySettingsTests {
  private func plan(_ arguments: [String]) throws -> IdentityPlan {
    let request = try Configuration.read(
      IdentitySettings.all, arguments: arguments, environment: [:])
    guard case .run(let configuration) = request else { throw TestFault.noDecision }
    return try IdentityPlan(configuration)
  }

  private func fault(_ arguments: String...) throws -> String? { try fault(of: arguments) }

  private func fault(of arguments: [String]) throws -> String? {
    do {
      _ = try plan(arguments)
      return nil
    } catch let error as ConfigurationError { return error.description }
  }

  /// A file that is gone with the test.
  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "muster-\(UUID().uuidString).pem"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test("7.2 without settings, or with empty ones, no provider is on")
  func none() throws {
    #expect(try plan([]).providers.isEmpty)
    let empty = IdentitySettings.all.filter { setting in
      if case .text = setting.kind { true } else { false }
    }
    #expect(try plan(empty.map { "--\($0.name)=" }).providers.isEmpty)
  }

  @Test("7.2 each provider is on by its own settings")
  func providers() throws {
    let apple = try plan(["--apple-audiences", "com.example.a, com.example.b"])
    #expect(!apple.providers.isEmpty && apple.calls.callMillisecondsMax == 5_000)
    #expect(try fault("--google-audiences", "a", "--google-parties", "b,c") == nil)
    #expect(try fault("--facebook-app", "123") == nil)
    #expect(
      try fault("--steam-app", "480", "--steam-identity", "chess", "--steam-key", "k") == nil)
    let custom = ["--custom-issuer", "https://a.example", "--custom-audience", "chess"]
    let fetched = try plan(custom + ["--custom-keys-url", "https://a.example/keys"])
    #expect(!fetched.providers.isEmpty)
    try withFile(Keys.p256.pem) { path in
      let kept = try plan(custom + ["--custom-keys", path])
      #expect(!kept.providers.isEmpty)
    }
    try withFile(Certificates.root.pem) { path in
      let plan = try plan(["--gamecenter-bundles", "com.example.a", "--gamecenter-roots", path])
      #expect(!plan.providers.isEmpty)
    }
  }

  @Test("7.2 what is wrong with a setting is told at the start, and no secret with it")
  func faults() throws {
    #expect(try fault("--apple-audiences", "a,,b")?.contains("--apple-audiences") == true)
    #expect(try fault("--custom-issuer", "i")?.contains("--custom-audience") == true)
    let custom = ["--custom-issuer", "i", "--custom-audience", "a"]
    for (more, named) in [
      ([], "--custom-keys"), (["--custom-keys", "/nowhere"], "/nowhere"),
      (["--custom-keys-url", "http://a.example/keys"], "--custom-keys-url"),
      (["--custom-keys-url", "https://a.example", "--custom-keys", "x"], "exclude"),
      (["--custom-keys-url", "https://a.example", "--custom-nonce", "md5"], "--custom-nonce"),
      (
        [
          "--custom-keys-url", "https://a.example", "--custom-provider", "apple",
          "--apple-audiences", "b",
        ], "apple"
      ),
      (["--custom-keys-url", "https://a.example", "--custom-provider", "steam"], "steam"),
      (["--custom-keys-url", "https://a.example", "--custom-provider", "facebook:1"], "provider"),
    ] as [([String], String)] {
      do {
        _ = try plan(custom + more)
        Issue.record("taken: \(more)")
      } catch let error as ConfigurationError {
        #expect(error.description.contains(named), "\(error)")
      }
    }
    try withFile(Keys.rsaWeak.pem) { path in
      #expect(throws: ConfigurationError.self) { try plan(custom + ["--custom-keys", path]) }
      let bundles = ["--gamecenter-bundles", "a.b,x.a.b", "--gamecenter-roots", path]
      #expect(throws: ConfigurationError.self) { try plan(bundles) }
      #expect(throws: ConfigurationError.self) {
        try plan(["--gamecenter-bundles", "a.b", "--gamecenter-roots", path])
      }
    }
    let steam = try fault("--steam-app", "chess", "--steam-identity", "i", "--steam-key", "S3CRET")
    #expect(steam?.contains("--steam-app") == true && steam?.contains("S3CRET") == false)
    #expect(try fault("--steam-app", "480", "--steam-identity", "i")?.contains("key") == true)
  }

  @Test("7.2 a file of certificates that has none, or cannot be read, ends the start by its name")
  func certificates() throws {
    try withFile(Certificates.root.pem) { roots in
      let gameCenter = ["--gamecenter-bundles=a.b", "--gamecenter-roots=\(roots)"]
      for content in [[], Array("no certificate".utf8), Keys.p256.pem] {
        try withFile(content) { path in
          for (setting, others) in [
            ("gamecenter-roots", ["--gamecenter-bundles=a.b"]),
            ("gamecenter-intermediates", gameCenter), ("identity-authority", []),
            ("identity-authority", ["--apple-audiences=a"]),
          ] {
            let told = try fault(of: others + ["--\(setting)=\(path)"])
            #expect(told?.contains("--\(setting)") == true, "\(told ?? "taken")")
            #expect(told?.contains(path) == true, "\(told ?? "taken")")
          }
        }
      }
      #expect(try fault("--identity-authority", "/nowhere")?.contains("/nowhere") == true)
      #expect(try fault("--identity-authority", roots) == nil)
      #expect(try fault(of: gameCenter + ["--gamecenter-intermediates=\(roots)"]) == nil)
      let alone = try fault("--gamecenter-roots", roots)
      #expect(alone?.contains("--gamecenter-bundles") == true)
    }
  }
}
