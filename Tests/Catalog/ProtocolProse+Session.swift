import Domain
import GatewayCore
import Operations
import Wire

/// From the first frame to the last: what a client does beside its calls.
extension ProtocolProse {
  static let life = """
    ## The life of a connection

    1. `SignUp` once per device: keep player, device and secret.
    2. `SignIn` with them and the game. The reply has the session's token, and the limits of this deployment.
       A game that its operator has not declared is refused with `notFound` (game).
    3. Call. Events come on the same connection.
    4. `SignOut` ends the session. A client that only disconnects may `Resume` it.

    What holds meanwhile:

    - **Pings.** The server closes a connection from which no whole frame has come for `idleMilliseconds`
      (\(seconds(usual.idleMilliseconds)) s). It sends no pings itself: after a quarter of that time without writing, send a ping with
      correlation 1. A handshake may take 10 s, and a frame `partialFrameMilliseconds` (\(seconds(usual.partialFrameMilliseconds)) s).
    - **Open calls.** At most `openCallsMax` (\(usual.openCallsMax)) calls of a connection may be open. The next one is refused
      with `backpressure`, and nothing was done for it.
    - **Order.** Calls that run at the same key run in the order in which they were sent, on one connection.
      There is no order between keys, between connections, or among answers. A call for which the gateway asks
      another service first may be overtaken. `SignIn`, `Resume`, `SignOut`, `SignInOperator` and
      `SignInGameServer` run after all calls before them, and those after them wait: the first calls may be
      sent along with `SignIn`.
    - **Time.** `deadlineMilliseconds` runs from the arrival of the frame. 0 takes \(usual.deadlineMilliseconds), and more than
      \(usual.deadlineMillisecondsMax) counts as that. When it is over, the call is refused with `deadlineExceeded`.
    - **Reading.** With more than 256 KiB that the client has not taken, the server reads nothing more from
      it; with more than 1 MiB it closes the connection. Hints are dropped from 64 KiB on.
    - **Several connections.** A connection has one session. A session may have several connections: each gets
      the events, and each may call. A player has at most \(SessionLimits.connectionsPerPlayerMax) connections; the oldest one beyond gets
      `SessionRevoked` with `canResume`, and is closed. `SignOut` ends the session on all of its connections:
      the others get `SessionRevoked`, and are closed. Other sessions of the player go on.

    ## Events and reconnecting

    A player's events of all games and from all services have one stream. An event's `sequence` is its number
    there, from 1; those of other games do not come, so that numbers are left out. Events come as `StreamEvent`,
    by themselves or in the reply to `ReadEvents`, and come again until they are acknowledged.

    Follow these steps word for word, and every event is handled once and in order:

    1. Keep for each session: the newest token (of `SessionStarted` or `SessionRenewed`), the place, and the
       open calls with a key (counter, opcode, bytes). The *place* is the `sequence` and the `id` of the last
       event that was handled.
    2. The place begins at `acknowledged` of the first `SessionStarted`, without an `id`.
    3. When a `StreamEvent` is pushed: skip it if its `sequence` is not above the place. If its `after` is
       above the place, events between were not pushed: read on (step 6) in place of handling it. Else handle
       it, and the place is its own.
    4. When the connection is lost: connect to any gateway, after a pause that doubles from 50 ms to some
       seconds. Send `Resume` with the token, `cursor` and `cursorEvent`: the place's `sequence` and `id`.
    5. Events may come before the reply to `SignIn` or `Resume`; step 3 holds for them too. In the reply,
       every event up to `replayedThrough` was pushed. If that is below `streamEnd`, nothing newer is pushed
       until `ReadEvents` has answered with `more` = false: read on at once.
    6. To read on, call `ReadEvents` with `after` = the place's `sequence`. Handle the events of the page that
       are above the place; then the place is `through`, with the `id` in `throughEvent`. Read on while `more`
       is true.
    7. An `EventsDropped` says that `count` events were dropped, because too many were unread. A place below
       `acknowledged` in the reply to `SignIn` or `Resume` says that another device has acknowledged more than
       this one has handled, and that may be gone. In both cases read the lists that the game shows.
    8. `cursorLost` says that the server's stream is another one than that of the place: a backup was put back.
       The `detail`, a `StreamEnds`, says where the stream ends. Drop the place, and `Resume` with neither
       `cursor` nor `cursorEvent`: begin again at step 2. What the game shows has to be read anew, and an event
       that comes twice is known by its `id`.
    9. Repeat the open calls, the lowest counter first. Call `JoinMatch` again for each match.
    10. `sessionExpired` and `invalidCredential` in reply to `Resume`: `SignIn` with the device's secret and
        the place. This begins a new session, whose counters begin at 1. Whether the open calls of the old
        session ran is not known: read what they were about.

    `Acknowledge` what was handled, now and then: it is for all devices of the player, and a session without a
    cursor begins after it.

    """

  /// With the values that an operator has not changed.
  static let usual = ClientLimits(SettingValues(GatewayState.settings))

  private static func seconds(_ milliseconds: UInt32) -> UInt32 { milliseconds / 1000 }
}
