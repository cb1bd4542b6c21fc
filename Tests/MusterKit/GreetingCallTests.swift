import Operations
import Testing
import Wire

@testable import MusterKit

/// The bytes of the first call on a connection, and what its answer says.
@Suite struct GreetingCallTests {
  private func call(_ greeting: SessionMachine.Greeting) -> GreetingCall {
    greeting.call(game: "demo", place: StreamPlace(7, EventID(high: 1, low: 7)))
  }

  @Test("a player's credential, game and place in the stream are in the sign-in")
  func signIn() throws {
    let credential = Credential(
      player: PlayerID(high: 1, low: 1), device: DeviceID(high: 2, low: 2), secret: [3])
    let call = call(.signIn(.player(credential)))
    let operation = try SignIn(decoding: call.operation)
    #expect(call.opcode == SignIn.opcode && operation.game == "demo" && operation.cursor == 7)
    #expect(operation.cursorEvent.low == 7)
    #expect(operation.player == credential.player && operation.device == credential.device)
    #expect(operation.secret.array == credential.secret)
    #expect(UInt64(call.envelope.deadlineMilliseconds) == GreetingCall.deadlineMilliseconds)
    #expect(!call.envelope.idempotency.isPresent)
  }

  @Test("a session is resumed after the newest event that was given")
  func resume() throws {
    let call = call(.resume(token: Bytes([9])))
    let operation = try Resume(decoding: call.operation)
    #expect(call.opcode == Resume.opcode && operation.token.array == [9] && operation.cursor == 7)
    #expect(operation.cursorEvent.low == 7)
  }

  @Test("operators and game servers name their own game")
  func trusted() throws {
    let asOperator = call(.signIn(.deploymentOperator(secret: "s", game: "other", client: 5)))
    let operation = try SignInOperator(decoding: asOperator.operation)
    #expect(asOperator.opcode == SignInOperator.opcode)
    #expect(operation.secret == "s" && operation.game == "other" && operation.client == 5)
    let server = call(.signIn(.gameServer(game: "third", credential: "c", client: 6)))
    let signIn = try SignInGameServer(decoding: server.operation)
    #expect(server.opcode == SignInGameServer.opcode)
    #expect(signIn.game == "third" && signIn.credential == "c" && signIn.client == 6)
  }

  @Test("what the answer says: the session, an operator's instance, a failure, or no sense")
  func answers() throws {
    var started = SessionStarted()
    started.instance = 5
    let resume = call(.resume(token: Bytes()))
    #expect(resume.started(.success(started.encoded)) == .success(started))
    let refusal = Failure(.sessionExpired, "too late")
    #expect(resume.started(.failure(refusal)) == .failure(refusal))
    guard case .failure(let failure) = resume.started(.success([9])) else {
      Issue.record("bytes that are no reply were taken for one")
      return
    }
    #expect(failure.code == .malformed)
    let asOperator = call(.signIn(.deploymentOperator(secret: "s", game: "", client: 5)))
    var trusted = TrustedSessionStarted()
    trusted.instance = 6
    started = SessionStarted()
    started.instance = 6
    #expect(asOperator.started(.success(trusted.encoded)) == .success(started))
    #expect(asOperator.started(.success(Empty().encoded)) == .success(SessionStarted()))
  }
}
