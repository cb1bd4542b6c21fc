internal import Transport

/// Calls from one loop through a client that many loops may share.
public final class HTTPSCaller {
  /// What waits for its answer. The handler of the mailbox keeps it, and so do calls under way:
  /// they are answered also when nobody holds the caller any more.
  private final class Waiting {
    var bodies: [UInt64: (Result<HTTPSResponse, HTTPSError>) -> Void] = [:]
  }
  private struct Answer: Sendable {
    var number: UInt64
    var result: Result<HTTPSResponse, HTTPSError>
  }

  private let client: HTTPSClient
  private let loop: Loop
  private let waiting: Waiting
  private let mailbox: Mailbox<Answer>
  private var lastNumber: UInt64 = 0

  init(_ client: HTTPSClient, _ loop: Loop) {
    self.client = client
    self.loop = loop
    let waiting = Waiting()
    self.waiting = waiting
    mailbox = loop.mailbox { answer in
      waiting.bodies.removeValue(forKey: answer.number)?(answer.result)
    }
  }

  /// Calls the server, and then calls `then` with what came of it: once, on the loop, and after
  /// this has returned. Once the loop is over, it is not called.
  public func call(
    _ request: HTTPSRequest, then: @escaping (Result<HTTPSResponse, HTTPSError>) -> Void
  ) {
    lastNumber += 1
    let (number, mailbox) = (lastNumber, mailbox)
    do {
      try client.calls.add(request) { mailbox.send(Answer(number: number, result: $0)) }
      waiting.bodies[number] = then
    } catch {
      loop.atEndOfTurn { then(.failure(error)) }
    }
  }
}
