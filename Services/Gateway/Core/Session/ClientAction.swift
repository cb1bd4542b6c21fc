import Operations
public import Wire

/// What a client's session has the gateway do, in this order.
public enum ClientAction {
  /// Pass a call on; the answer is `replied` or `refused`. Its bytes are in `ClientSession.outgoing`.
  case forward(CallToken, to: ProcessAddress)
  /// Call a service in the gateway's own name; the answer is `answered`.
  case call(ServiceCall)
  case answer(FrameHeader, [UInt8])
  case push(Opcode, [UInt8])
  /// Tell each of these processes that it reaches nobody any more under this number.
  case closeChannels(SessionNumber, at: [ProcessAddress])
  /// Ask every process how it is; the answer is `described`.
  case describeDeployment(CallToken)
  /// A player has signed in or resumed; for logs.
  case signedIn
  /// Close the connection when what was sent is out.
  case finish(reason: String)
  /// Close the connection at once.
  case close(reason: String)
}

/// A call of the gateway's own on behalf of a client.
public struct ServiceCall {
  /// What the answer is for.
  enum Purpose {
    case register(CallToken, SignUp.Reply)
    case open(CallToken)
    case revoke(CallToken)
    case restore(SessionNumber, Service)
    case fact(FactFetch, CallToken)
  }

  let purpose: Purpose
  public let opcode: Opcode
  public let envelope: ServiceEnvelope
  public let body: [UInt8]
  public let address: ProcessAddress
}

/// What became of a call when it came in.
public enum Admission: Sendable {
  case admitted
  /// Over its player's or its connection's budget.
  case rateLimited
  /// It cannot be read, or too many calls of the connection are open.
  case refused
}

/// What becomes of an event for a client.
public enum PushOutcome: Sendable {
  case send
  /// The client has it already.
  case drop
  /// It is the last that the client hears on this connection.
  case sendAndFinish
}
