public import Operations
public import Wire

/// Something that a client's session wants done. Actions are carried out in the order in which the
/// session gave them.
public enum ClientAction {
  /// Pass a call on: the envelope that `ClientSession.outgoing` writes, and then these bytes. The
  /// session hears of the answer by `replied` or `refused`.
  case forward(CallToken, OperationBytes, to: ProcessAddress)
  /// Call a service in the gateway's own name. The session hears of the answer by `answered`.
  /// Indirect: it is ten times as large as the others, of which every call has one.
  indirect case call(ServiceCall)
  case answer(FrameHeader, [UInt8])
  /// A call was answered; for logs. Indirect, because most calls have none.
  indirect case ended(CallEnd)
  case push(Opcode, [UInt8])
  /// Tell each of these processes that the session with this number is over.
  case closeChannels(SessionNumber, ChannelEnd, at: [ProcessAddress])
  /// Tell the session after so many milliseconds that `timeHasPassed`. This takes the place of an
  /// earlier wish.
  case wake(afterMilliseconds: UInt64)
  /// Ask every process for its status, and wait for the answers no longer than this. The session
  /// hears of them by `described`.
  case describeDeployment(CallToken, withinMilliseconds: UInt64)
  /// Verify a proof of identity. The session hears of it by `verified`, within this time.
  indirect case verify(CallToken, ProofErrand, withinMilliseconds: UInt64)
  /// A player has signed in or resumed; for logs.
  case signedIn
  /// An operator was told the credential of a game's servers; for logs.
  case toldCredential(game: String)
  /// Close the connection when what was sent is out.
  case finish(reason: String)
  /// Close the connection at once.
  case close(reason: String)
}

/// Where the bytes are of an operation that is passed on.
public enum OperationBytes: Sendable {
  /// In the frame that is being handled, after so many bytes of envelope. They are gone when the
  /// event is over.
  case lent(after: Int)
  /// In a copy, because the call had to wait.
  case copied([UInt8])

  /// - Parameter frame: the body of the frame that is being handled; empty in any other event.
  public func read<Result>(in frame: RawSpan, _ body: (RawSpan) -> Result) -> Result {
    switch self {
    case .copied(let bytes): return unsafe body(bytes.span.bytes)
    case .lent(let start):
      precondition(start <= frame.byteCount, "a call is passed on after its bytes were taken back")
      return body(frame.extracting(droppingFirst: start))
    }
  }
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
    case pair(CallToken)
    case game(String, GameCall, CallToken)
    case identity(IdentityStep, CallToken)
  }

  let purpose: Purpose
  public let opcode: Opcode
  public let envelope: ServiceEnvelope
  public let body: [UInt8]
  public let address: ProcessAddress
}

/// What became of a call when it came in.
public enum Admission: Equatable, Sendable {
  case admitted
  /// It is to be passed on at once, whatever else is to be done.
  case relayed(RelayedCall)
  /// It cannot be read, or too many calls of the connection are open.
  case refused
}

/// Whether a pushed event goes to its client.
public enum PushOutcome: Sendable {
  case send
  /// The client has it already.
  case drop
  /// Send it and then close the connection: it is the last that the client hears.
  case sendAndFinish
}
