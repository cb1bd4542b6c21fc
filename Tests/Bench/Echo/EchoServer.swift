import Transport
import Wire

/// A server that is the transport alone: it sends every request back as its reply.
///
/// Beside the plain C server in `Tests/Bench/Baseline` it tells what the transport itself costs.
@main
struct EchoServer {
  static func main() {
    let options = Options(CommandLine.arguments.dropFirst())
    // One thread, as the C server has.
    LoopThread.runHere(name: "echo") { loop in
      do {
        let tls = try TLSServerContext(certificate: options.certificate, key: options.key)
        let echo = Echo()
        let listener = try Listener(
          on: loop, host: options.host, port: options.port, tls: tls, limits: .server,
          connectionCountMax: 100_000
        ) { _ in echo }
        loop.keep(listener)
        print("listening \(listener.port)")
        flushOutput()
      } catch {
        fail("\(error)")
      }
    }
  }
}

struct Options: Sendable {
  var certificate = ""
  var key = ""
  var host = "127.0.0.1"
  var port: UInt16 = 0

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--help" {
        end("usage: bench-echo --certificate FILE --key FILE [--host HOST] [--port N]", code: 0)
      }
      guard let value = rest.popFirst() else { fail("\(name) needs a value") }
      switch name {
      case "--certificate": certificate = value
      case "--key": key = value
      case "--host": host = value
      case "--port": port = UInt16(value) ?? 0
      default: fail("\(name) is not known")
      }
    }
  }
}

final class Echo: ConnectionDelegate {
  func connectionReady(_ connection: Connection) {}

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    if header.kind != .request { return }
    connection.send(
      FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
      body: body)
  }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {}
}
