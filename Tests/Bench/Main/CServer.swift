import BenchStack
import Foundation
import Stack

/// The C server (`Baseline/echo_server.c`) as it stands in for a gateway: with the certificate of
/// one, and with tickets like ours, which are good after a restart.
enum CServer {
  /// 80 bytes in hex; everybody may know them.
  private static let ticketSecret = String(repeating: "5a", count: 80)

  /// - Parameter port: 0 takes a free one.
  static func start(_ programs: URL, on stack: Stack, port: UInt16 = 0) async throws
    -> (process: ServerProcess, port: UInt16)
  {
    let process = try Commands.start(
      programs.appendingPathComponent("echo_server").path,
      [
        "--stop-when-empty", "--certificate", stack.certificate("client.pem"),
        "--key", stack.certificate("client.key"), "--ticket-secret", ticketSecret,
        "--port", "\(port)",
      ])
    return (process, try await process.port())
  }
}
