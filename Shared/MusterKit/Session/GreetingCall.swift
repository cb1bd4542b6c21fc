/// A greeting as a call: what to send first on a connection, and what its answer says.
package struct GreetingCall {
  /// How long the server may take to answer.
  package static let deadlineMilliseconds: UInt64 = 10_000

  package let opcode: Opcode
  /// The operation's bytes.
  package let operation: [UInt8]
  private let read: ([UInt8]) -> Result<SessionStarted, Failure>

  fileprivate init<O: Operation>(
    _ operation: O, _ started: @escaping (O.Reply) -> SessionStarted
  ) {
    opcode = O.opcode
    self.operation = operation.encoded
    read = { bytes in
      guard let reply = try? O.Reply(decoding: bytes) else {
        return .failure(Failure(.malformed, "The reply to \(O.name) cannot be read."))
      }
      return .success(started(reply))
    }
  }

  /// What stands before the operation.
  package var envelope: ClientEnvelope {
    var envelope = ClientEnvelope()
    envelope.deadlineMilliseconds = UInt32(Self.deadlineMilliseconds)
    return envelope
  }

  /// What the answer to the call says, for `SessionMachine.greeted`.
  package func started(_ answer: Result<[UInt8], Failure>) -> Result<SessionStarted, Failure> {
    answer.flatMap(read)
  }
}

extension SessionMachine.Greeting {
  /// - Parameters:
  ///   - game: the player's; operators and game servers name theirs with the secret.
  ///   - place: of the newest event that the player was given; pushes go on after it.
  package func call(game: String, place: StreamPlace?) -> GreetingCall {
    switch self {
    case .resume(let token):
      var operation = Resume()
      operation.token = token
      operation.cursor = place?.sequence
      operation.cursorEvent = place?.event ?? EventID()
      return GreetingCall(operation) { $0 }
    case .signIn(.player(let credential)):
      var operation = SignIn()
      operation.game = game
      operation.player = credential.player
      operation.device = credential.device
      operation.secret = Bytes(credential.secret)
      operation.cursor = place?.sequence
      operation.cursorEvent = place?.event ?? EventID()
      return GreetingCall(operation) { $0 }
    case .signIn(.deploymentOperator(let secret, let game, let client)):
      var operation = SignInOperator()
      operation.secret = secret
      operation.game = game
      operation.client = client
      return GreetingCall(operation) { $0.session }
    case .signIn(.gameServer(let game, let credential, let client)):
      var operation = SignInGameServer()
      operation.game = game
      operation.credential = credential
      operation.client = client
      return GreetingCall(operation) { $0.session }
    }
  }
}

extension TrustedSessionStarted {
  /// The same as of a session that has neither a token nor a stream.
  fileprivate var session: SessionStarted {
    var started = SessionStarted()
    started.instance = instance
    started.limits = limits
    return started
  }
}
