import Domain
import Operations
import RequestCore
import Wire

/// How a client has every event once, as `Tests/Python/muster_client/session.py` does.
extension ProtocolProse {
  static let stream = """
    ## Events and reconnecting

    A player's events of all games and from all services have one stream. An event's `sequence` is its number
    there, from 1. A session gets the events of its game, and those of no game, whose `game` is empty, such as
    a friendship's: other numbers are left out. Events come as `StreamEvent`, by themselves or in the reply to
    `ReadEvents`, and come again until they are acknowledged.

    Follow these steps word for word, and every event is handled once and in order:

    1. Keep for each session: the newest token (of `SessionStarted` or `SessionRenewed`), the place, the
       counter of the last call with a key, and the open ones of these calls (counter, opcode, bytes). The
       *place* is the `sequence` and the `id` of the last event that was handled. It never goes back. Who has
       not kept the counter begins a new session by `SignIn`, never by `Resume`: a counter that is used again
       gets the answer of an earlier call, and the new one does not run.
    2. The place begins at `acknowledged` of the first `SessionStarted`, without an `id`.
    3. While a `SignIn`, a `Resume` or a `ReadEvents` is open, hold the `StreamEvent`s that are pushed; before
       the reply to the first two these are up to \(replayMax) (`stream-replay-max`). When none is open, take each in order. Skip it if
       its `sequence` is not above the place. If its `after` is above the place, events between were not
       pushed: read on (step 6), and then take it again. Else handle it, and the place is its own.
    4. When the connection is lost: forget what is held, and connect to any gateway, after a pause that doubles
       from 50 ms to some seconds. Send `Resume` with the token, `cursor` and `cursorEvent`: the place's
       `sequence` and `id`. A place at 0 has no `id`, and is sent without; one above 0 that has none is not sent.
       After a `SessionRevoked` without `canResume` the session is over: do not come back by yourself.
    5. In the reply to `SignIn` or `Resume`, every event up to `replayedThrough` was pushed. Take the held ones;
       then the place becomes `replayedThrough`, with the `id` in `replayedEvent`, unless it is above it already. If
       `streamEnd` is above `replayedThrough`, nothing newer is pushed until `ReadEvents` has answered with
       `more` = false: read on at once.
    6. To read on, call `ReadEvents` with `after` and `afterEvent`: the place's `sequence` and `id`. Make one
       call at a time. Handle the events of the page that are above the place; then the place is `through`,
       with the `id` in `throughEvent`. Read on while `more` is true.
    7. `removedThrough`, in the replies to `SignIn`, `Resume` and `ReadEvents`, is the last event for the
       session that is no longer kept. If the place that the call named (`cursor`, `after`; `acknowledged` where
       there was none) is below it, events were missed, which another device or game has acknowledged: read
       the lists that the game shows, and go on from the place. Who wants to skip what comes before these lists
       calls `ReadSnapshot` first, and takes its `through` and `throughEvent` for the place. Do the same after
       an `EventsDropped`.
    8. `cursorLost` says that the server's stream is another one than that of the place: a backup was put back.
       The `detail`, a `StreamEnds`, says where the stream ends. Drop the place, and make the call again with
       neither `cursor` nor `cursorEvent`: begin again at step 2, with the `acknowledged` of its reply. A
       refused `SignIn` or `Resume` leaves the connection without a session, so that it can be made there;
       after `ReadEvents` connect anew, and `Resume`. What the game shows has to be read anew, and an event
       that comes twice is known by its `id`.
    9. After the reply to `Resume`, repeat the open calls, the lowest counter first. Call `JoinMatch` again for
       each match, with its `number`.
    10. `sessionExpired` and `invalidCredential` in reply to `Resume`: `SignIn` with the device's secret and
        the place, on the same connection. This begins a new session, whose counters begin at 1. Whether the
        open calls of the old session ran is not known: read what they were about. `notAuthenticated` in reply to
        `Resume` or `SignIn` says that the player was erased: forget the credential and the place.

    `Acknowledge` what was handled, now and then: it is for this device, whose next session without a cursor
    begins after it. An event is kept until all devices of the player have acknowledged it. One that none has
    acknowledged is *unread*, also where it was handled; one of no game is unread until each game with a session
    that is kept (`session-idle-days`) has acknowledged it.

    Of one sender never more than \(bound.unreadMax) unread events are kept in one game, and a sender has room again as
    soon as no more than \(bound.roomAgain) of its events are unread (one and a half times, and seven eighths of,
    `stream-events-per-sender`), unless some \(gameMax) of all senders together are. What has no room is
    dropped. There is always room again when all events are acknowledged. An event that is dropped is told in
    its place, by an `EventsDropped` with `count` 1. While that is unread, further ones are told together: when
    it is acknowledged, or before the next event that has room. Its `game` is empty where events of no game
    were dropped, or of games that the player has never signed in to.

    """

  private static let bound = UnreadBound(
    countedMax: UInt64(NumberSetting.streamEventsPerSender.fallback))
  private static let gameMax = NumberSetting.streamEventsMax.fallback
  private static let replayMax = NumberSetting.streamReplayMax.fallback
}
