import Operations
import Wire

/// An operation that the gateway answers itself. A new one is a line in `all`.
struct OwnOperation: Sendable {
  typealias Answer =
    @Sendable (inout ClientSession, OpenCall, CallToken, inout GatewayState) throws(Failure) -> Void

  static let all = [
    OwnOperation(Echo.self) { session, operation, token, gateway in
      var reply = Echo.Reply()
      reply.payload = operation.payload
      session.finish(token, reply.encoded, &gateway)
    },
    OwnOperation(SignUp.self) { session, operation, token, gateway throws(Failure) in
      try session.signUp(operation, token, &gateway)
    },
    OwnOperation(FetchNonce.self) { session, operation, token, gateway throws(Failure) in
      try session.fetchNonce(operation, token, &gateway)
    },
    OwnOperation(SignUpWithIdentity.self) { session, operation, token, gateway throws(Failure) in
      try session.signUp(operation, token, &gateway)
    },
    OwnOperation(LinkIdentity.self) { session, operation, token, gateway throws(Failure) in
      try session.link(operation, token, &gateway)
    },
    OwnOperation(SignIn.self) { session, operation, token, gateway throws(Failure) in
      try session.signIn(operation, token, &gateway)
    },
    OwnOperation(Resume.self) { session, operation, token, gateway throws(Failure) in
      try session.resume(operation, token, &gateway)
    },
    OwnOperation(SignOut.self) { session, _, token, gateway in session.signOut(token, &gateway) },
    OwnOperation(SignInOperator.self) { session, operation, token, gateway throws(Failure) in
      try session.signInOperator(operation, token, &gateway)
    },
    OwnOperation(SignInGameServer.self) { session, operation, token, gateway throws(Failure) in
      try session.signInGameServer(operation, token, &gateway)
    },
    OwnOperation(GameServerCredential.self) { session, operation, token, gateway throws(Failure) in
      try session.credential(operation, token, &gateway)
    },
    OwnOperation(ImportPlayer.self) { session, operation, token, gateway throws(Failure) in
      try session.importPlayer(operation, token, &gateway)
    },
    OwnOperation(DeploymentStatus.self) { session, _, token, gateway in
      session.describeDeployment(token, &gateway)
    },
  ]

  /// By the number within the gateway's opcodes.
  private static let byNumber = all.reduce(into: [OwnOperation?](repeating: nil, count: 256)) {
    let number = Int($1.route.opcode)
    precondition($0[number] == nil, "two operations of the gateway have the number \(number)")
    $0[number] = $1
  }

  static subscript(opcode: Opcode) -> OwnOperation? {
    opcode.service == .gateway ? byNumber[Int(opcode.rawValue)] : nil
  }

  let route: RouteDescription
  let answer: Answer

  /// An operation, which is refused to those who may not call it.
  private init<O: Operation>(
    _ type: O.Type,
    _ answer:
      @escaping @Sendable (inout ClientSession, O, CallToken, inout GatewayState) throws(Failure) ->
      Void
  ) {
    var route = RouteDescription()
    (route.opcode, route.name) = (O.opcode.rawValue, O.name)
    route.access = O.access.rawValue
    route.isReadOnly = O.isReadOnly
    route.changesSession = O.changesSession
    self.route = route
    self.answer = { session, call, token, gateway throws(Failure) in
      let operation: O = try session.decoded(call)
      try answer(&session, operation, token, &gateway)
    }
  }
}
