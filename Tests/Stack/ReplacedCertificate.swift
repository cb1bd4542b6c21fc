import Foundation

/// A process's certificate and its key, whose files a test replaces.
public struct ReplacedCertificate: Sendable {
  private let folder: URL

  public var certificate: String { path("own.pem") }
  public var key: String { path("own.key") }
  public var authority: String { path("authority.pem") }
  /// Beside them, what the gateway shows to games.
  public var clientCertificate: String { path("client.pem") }
  public var clientKey: String { path("client.key") }

  /// - Parameter process: whose certificate the files have at first.
  public init(of process: String) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-certificate-\(UUID().uuidString)")
    try Certificates.make(in: folder)
    try replace(by: process)
  }

  /// Lets the files have the certificate of another process, by the same authority.
  public func replace(by process: String) throws {
    for ending in ["pem", "key"] {
      let source = folder.appendingPathComponent("\(process).\(ending)")
      try Data(contentsOf: source).write(
        to: folder.appendingPathComponent("own.\(ending)"), options: .atomic)
    }
  }

  public func remove() { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
