import Domain
import GatewayCore
import Operations
import Wire

/// From the first frame to the last: what a client does beside its calls.
extension ProtocolProse {
  static let life = """
    ## The life of a connection

    1. `SignUp` once per player: keep player, device and secret. Further devices of the player sign in with
       the same three.
    2. `SignIn` with them and the game. The reply has the session's token, and the limits of this deployment.
       A game that its operator has not declared is refused with `notFound` (game).
    3. Call. Events come on the same connection.
    4. `SignOut` ends the session. A client that only disconnects may `Resume` it.

    What holds meanwhile:

    - **Pings.** The server closes a connection from which no whole frame has come for `idleMilliseconds`
      (\(seconds(usual.idleMilliseconds)) s). It sends no pings itself, but answers them (those that come together once): after a quarter of that time without writing,
      or without a byte that came, send a ping with correlation 1. When nothing has come for another quarter
      of it, take the connection for lost. A connection on which nobody is signed in is closed after \(NumberSetting.signInTime.fallback) s, however
      often it pings: connect when there is somebody to sign in. A handshake may take 10 s, and a frame `partialFrameMilliseconds` (\(seconds(usual.partialFrameMilliseconds)) s).
      None of these ends is told by a frame.
    - **Open calls.** At most `openCallsMax` (\(usual.openCallsMax)) calls of a connection may be open. The next one is refused
      with `backpressure`, and nothing was done for it.
    - **Calls a second.** A player makes `callsPerSecond` (\(usual.callsPerSecond)), and twice as many in a row. Each
      \(GatewayLimits.callSizeCounted) bytes that come count as one call more, and so does what other keys tell for a call: one for
      each \(GatewayLimits.factsCounted) keys, and for each \(GatewayLimits.factsSizeCounted) bytes. `Resume` counts as \(GatewayLimits.resumptionCost) calls, and is refused
      with `rateLimited` while the budget has no room for it. No other call is refused for it: the server reads nothing from
      a connection that is over its budget until that has refilled, two seconds later at the most. What
      the client sends meanwhile waits, so keep few unreliable pieces under way: the newest may then take the
      place of the older ones before they leave. All connections of a host on which nobody is signed in send
      4 MiB in a row, and after that 64 KiB a second together; past that they are not read for a while either.
    - **Order.** Calls that run at the same key run in the order in which they were sent, on one connection.
      There is no order between keys, between connections, or among answers. A call for which the gateway asks
      another service first may be overtaken, and `SendMatchData` and `AcknowledgeMatchData` overtake whatever waits. `SignIn`, `Resume`, `SignOut`, `SignInOperator` and
      `SignInGameServer` run after all calls before them, and those after them wait: the first calls may be
      sent along with `SignIn`.
    - **Time.** `deadlineMilliseconds` runs from the arrival of the frame. 0 takes \(usual.deadlineMilliseconds), and more than
      \(usual.deadlineMillisecondsMax) counts as that. When it is over, the call is refused with `deadlineExceeded`.
    - **Reading.** With more than 48 KiB that the client has not taken, the server reads nothing more from
      it; with more than 1 MiB it closes the connection. Hints are dropped from 64 KiB on.
      Unreliable match data counts for nothing here: the newest piece of each sender waits, at most 256
      of them, and where the rest never ends it gets a fifth of what the client takes.
    - **Closings.** Without a frame, the server also closes a connection that changes its TLS keys more than
      eight times in a minute; a handshake that waits for the client for half a second or more, while very
      many are under way; and, where all connections together hold too much that is half sent or not taken,
      those that hold the most of it, those without a session first. One more than `connections-per-host`
      (\(NumberSetting.connectionsPerHost.fallback)) of a host, open at once or made in a minute, is closed before TLS. A gateway that stops reads no more,
      answers what it has read, and then closes in good order: connect again after a moment.
    - **Several connections.** A connection has one session: a sign-up, a sign-in or `Resume` on one that has
      a session is refused with `alreadyExists`. A session may have several connections: each gets
      the events, and each may call. A player has at most \(SessionLimits.connectionsPerPlayerMax) connections; the oldest one beyond gets
      `SessionRevoked` with `canResume`, and is closed. `SignOut` ends the session on all of its connections:
      the others get `SessionRevoked`, and are closed. Other sessions of the player go on.
    - **More devices.** Instead of copying the three, a device may get its own by an identity:
      see [there](#identities-devices-and-bans).

    """

  /// With the values that an operator has not changed.
  static let usual = ClientLimits(SettingValues(GatewayState.settings))

  private static func seconds(_ milliseconds: UInt32) -> UInt32 { milliseconds / 1000 }
}
