import Domain
import Operations
import Wire

extension RequestCore {
  func registerDevice(_ operation: RegisterDevice, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let key = DeviceKey(player: operation.player, device: operation.device)
    if players[operation.player] != nil {
      guard let device = devices[key], !device.hasSignedIn,
        SecretHash.isAmong([operation.secretHash] + operation.otherHashes, device.secretHash)
      else { throw .refuse(.alreadyExists, "This player is already registered.") }
      return
    }
    if operation.player.isNil {
      throw .invalidArgument("player", "The nil id names no player.")
    }
    if operation.secretHash.hash.array.isEmpty {
      throw .requiredArgument("secretHash", "A device needs a secret.")
    }
    let name = try kept(displayName: operation.displayName)
    let deviceName = try kept(deviceName: operation.deviceName)
    let player = PlayerRow(
      key: operation.player, displayName: name, created: transaction.now)
    players.put(player, &transaction)
    devices.put(
      DeviceRow(
        key: key, secretHash: operation.secretHash, name: deviceName, added: transaction.now),
      &transaction)
    setUnusedTimer(of: player, &transaction)
  }

  func openSession(_ operation: OpenSession, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> OpenSession.Reply
  {
    let (player, device) = try checkCredential(operation, call, now: transaction.now)
    try checkBans(of: player.key, in: call.game, now: transaction.now)
    let game = try gameRow(of: player.key, call.game, now: transaction.now)
    let stream = stream(of: player.key)
    let replay = try replay(operation, of: stream, game, transaction)

    if operation.instance == 0 { signedIn(device, operation, &transaction) }
    if games[game.key] == nil { begin(game, &transaction) }
    var reply = OpenSession.Reply()
    reply.instance = useInstance(operation, call, &transaction)
    if let channel = call.channel {
      let told = replay.through == stream.newest ? replay.through : nil
      subscribe(
        channel,
        .init(player: player.key, game: call.game, instance: reply.instance, told: told),
        replay, &transaction)
    }
    reply.displayName = player.displayName
    reply.alias = profiles[player.key]?.alias ?? ""
    reply.streamEnd = stream.newest
    reply.acknowledged = place(of: operation.device, in: game)
    reply.replayedThrough = replay.through
    reply.replayedEvent = replay.throughEvent
    reply.removedThrough = replay.removedThrough
    reply.time = transaction.now
    return reply
  }

  /// The device has shown its secret, and did not only resume.
  private func signedIn(
    _ device: DeviceRow, _ operation: OpenSession, _ transaction: inout Transaction
  ) {
    var device = device
    if !device.hasSignedIn { cancelUnusedTimer(of: operation.player, &transaction) }
    (device.hasSignedIn, device.lastSignIn) = (true, transaction.now)
    device.secretHash = operation.newerHash(than: device.secretHash)
    devices.put(device, &transaction)
  }

  /// The player has a session in the game for the first time.
  private func begin(_ game: PlayerGameRow, _ transaction: inout Transaction) {
    games.put(game, &transaction)
    var news = RecordFirstSession()
    news.player = game.key.player
    transaction.effect(news, on: game.key.player, game: game.key.game)
  }

  /// Has the session's events pushed to its connection, those that it missed first.
  private func subscribe(
    _ channel: Channel, _ subscription: Subscriptions.Subscription, _ missed: EventPage,
    _ transaction: inout Transaction
  ) {
    if let surplus = subscriptions.surplus(of: subscription.player, besides: channel) {
      subscriptions.close(surplus)
      var event = SessionRevoked(
        .newerConnections, "The player has opened many newer connections.")
      event.canResume = true
      transaction.push(event, to: surplus)
    }
    subscriptions.open(channel, subscription)
    for event in missed.seen(in: subscription.game) { transaction.push(event, to: channel) }
    lookAtPresence(of: subscription.player, &transaction)
  }

  /// Returns the events to push first. Refuses a cursor that is no place of this stream: a client
  /// that keeps it would miss what comes until the stream has passed it.
  private func replay(
    _ operation: OpenSession, of stream: StreamRow, _ game: PlayerGameRow,
    _ transaction: Transaction
  ) throws(Stop) -> EventPage {
    let after = operation.cursor ?? place(of: operation.device, in: game)
    if operation.cursor != nil, !stream.has(StreamPlace(after, operation.cursorEvent)) {
      throw cursorLost("cursor", stream, game, operation.device)
    }
    return try events(
      of: stream, in: game.key.game, after: after, limit: Int(settings[.streamReplayMax]),
      transaction)
  }

  /// The player and device that the call proves to be, or one and the same refusal.
  private func checkCredential(_ operation: OpenSession, _ call: Call, now: Int64) throws(Stop)
    -> (PlayerRow, DeviceRow)
  {
    let key = DeviceKey(player: operation.player, device: operation.device)
    let device = devices[key]
    let isSecretRight = SecretHash.isAmong(operation.secretHashes, device?.secretHash)
    var isInstanceRight = true
    if operation.instance != 0 {
      let row = instances[InstanceKey(player: operation.player, instance: operation.instance)]
      isInstanceRight = row?.device == operation.device && row?.game == call.game
    }
    // Without a secret it must be a resumption, which a signed token vouches for.
    guard let player = players[operation.player], let device,
      operation.secretHashes.isEmpty ? operation.instance != 0 : isSecretRight, isInstanceRight
    else {
      // A ban has ended the session of whoever has its token.
      if operation.secretHashes.isEmpty, operation.instance != 0, device != nil {
        try checkBans(of: operation.player, in: call.game, now: now)
      }
      throw .refuse(.invalidCredential, "The player, the device or its credential is not right.")
    }
    return (player, device)
  }

  private func gameRow(of player: PlayerID, _ game: String, now: Int64) throws(Stop)
    -> PlayerGameRow
  {
    let key = PlayerGameKey(player: player, game: game)
    if let row = games[key] { return row }
    if game.isEmpty { throw .requiredArgument("game", "A session has a game.") }
    if games.count(of: player) >= PlayerGameRow.perPlayerMax {
      throw .limitReached("game", "This player has signed in to many games.")
    }
    var row = PlayerGameRow(key: key, firstSignIn: now)
    // What was there for the game before the player came, and is gone.
    row.removedThrough = stream(of: player).expired
    return row
  }

  private func useInstance(
    _ operation: OpenSession, _ call: Call, _ transaction: inout Transaction
  ) -> UInt64 {
    if operation.instance != 0 {
      instances.resume(
        InstanceKey(player: operation.player, instance: operation.instance), &transaction)
      return operation.instance
    }
    let connected = subscriptions.instances(of: operation.player)
    for _ in 0..<Instances.revokedPerAdditionMax {
      guard let surplus = instances.surplus(of: operation.player, connected: connected) else {
        break
      }
      revoke(
        surplus, .init(.newerSessions, "The player has begun many newer sessions."), &transaction)
    }
    let before = reach(of: operation.player, "")
    var key = InstanceKey(player: operation.player)
    repeat {
      key.instance = transaction.randomInteger()
    } while key.instance == 0 || instances[key] != nil
    instances.add(
      InstanceRow(
        key: key, device: operation.device, game: call.game, lastUsed: transaction.now,
        began: transaction.now),
      &transaction)
    moved(from: before, of: operation.player, "", &transaction)
    return key.instance
  }

  func revokeSession(_ operation: RevokeSession, _ call: Call, _ transaction: inout Transaction) {
    revoke(
      InstanceKey(player: operation.player, instance: operation.instance),
      .init(.signedOut, "The session was ended."), except: call.channel, isLeft: true,
      &transaction)
  }

  /// Ends a session, and its connections with it.
  ///
  /// - Parameters:
  ///   - own: a connection that is told by the reply.
  ///   - isLeft: the player wants it so, and no events are kept for the device.
  func revoke(
    _ key: InstanceKey, _ event: SessionRevoked, except own: Channel? = nil, isLeft: Bool = false,
    _ transaction: inout Transaction
  ) {
    let before = reach(of: key.player, "")
    for channel in subscriptions.channels(of: key.player, instance: key.instance) {
      subscriptions.close(channel)
      if channel != own { transaction.push(event, to: channel) }
    }
    if let session = instances.remove(key, &transaction) {
      ended(session, isLeft: isLeft, &transaction)
    }
    moved(from: before, of: key.player, "", &transaction)
    lookAtPresence(of: key.player, &transaction)
  }

  func expireInstances(
    _ operation: ExpireInstances, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    let before = reach(of: player, "")
    let expired = instances.expire(
      of: player, connected: subscriptions.instances(of: player), &transaction)
    for session in expired { ended(session, isLeft: false, &transaction) }
    // A game that was left for good has held the events of no game.
    moved(from: before, of: player, "", &transaction)
  }
}
