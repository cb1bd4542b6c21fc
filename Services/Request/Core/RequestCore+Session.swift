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
        SecretHash.areEqual(device.secretHash, operation.secretHash)
      else { throw .refuse(.alreadyExists, "This player is already registered.") }
      return
    }
    if operation.player.isNil {
      throw .invalidArgument("player", "The nil id names no player.")
    }
    if operation.secretHash.array.isEmpty {
      throw .requiredArgument("secretHash", "A device needs a secret.")
    }
    if let failure = ProfileRules.failure(displayName: operation.displayName) {
      throw .refused(failure)
    }
    players.put(
      PlayerRow(
        key: operation.player, displayName: operation.displayName, created: transaction.now),
      &transaction)
    devices.put(DeviceRow(key: key, secretHash: operation.secretHash), &transaction)
  }

  func openSession(_ operation: OpenSession, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> OpenSession.Reply
  {
    let (player, device) = try checkCredential(operation, call)
    let game = try gameRow(of: player.key, call.game, now: transaction.now)
    let stream = stream(of: player.key)
    let after = min(operation.cursor ?? game.acknowledged, stream.newest)
    let replay = try events(
      of: stream, after: after, limit: StreamLimits.replayMax, transaction)

    if !device.hasSignedIn {
      var device = device
      device.hasSignedIn = true
      devices.put(device, &transaction)
    }
    if games[game.key] == nil { games.put(game, &transaction) }
    let instance = useInstance(operation, call, &transaction)
    if let channel = call.channel {
      subscriptions.close(channel)
      if let surplus = subscriptions.surplus(of: player.key) {
        subscriptions.close(surplus)
        var event = SessionRevoked()
        event.text = "The player has opened many newer connections."
        event.canResume = true
        transaction.push(event, to: surplus)
      }
      subscriptions.open(channel, .init(player: player.key, game: call.game, instance: instance))
      for event in replay.events where isVisible(event.game, in: call.game) {
        transaction.push(event, to: channel)
      }
    }
    var reply = OpenSession.Reply()
    reply.instance = instance
    reply.displayName = player.displayName
    reply.streamEnd = stream.newest
    reply.acknowledged = game.acknowledged
    reply.replayedThrough = replay.through
    return reply
  }

  /// The player and device that the call proves to be, or one and the same refusal.
  private func checkCredential(_ operation: OpenSession, _ call: Call) throws(Stop)
    -> (PlayerRow, DeviceRow)
  {
    let key = DeviceKey(player: operation.player, device: operation.device)
    let device = devices[key]
    // Compared also when there is no such device, so that both take the same time.
    let isSecretRight = operation.secretHash.map {
      SecretHash.areEqual(device?.secretHash ?? Bytes([UInt8](repeating: 0, count: 32)), $0)
    }
    var isInstanceRight = true
    if operation.instance != 0 {
      let row = instances[InstanceKey(player: operation.player, instance: operation.instance)]
      isInstanceRight = row?.device == operation.device && row?.game == call.game
    }
    // Without a secret it must be a resumption, which a signed token vouches for.
    guard let player = players[operation.player], let device,
      isSecretRight ?? (operation.instance != 0), isInstanceRight
    else {
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
    return PlayerGameRow(key: key, firstSignIn: now)
  }

  private func useInstance(
    _ operation: OpenSession, _ call: Call, _ transaction: inout Transaction
  ) -> UInt64 {
    if operation.instance != 0 {
      instances.touch(
        InstanceKey(player: operation.player, instance: operation.instance), &transaction)
      return operation.instance
    }
    let connected = subscriptions.instances(of: operation.player)
    for _ in 0..<Instances.revokedPerAdditionMax {
      guard let surplus = instances.surplus(of: operation.player, connected: connected) else {
        break
      }
      revoke(surplus, except: nil, "The player has begun many newer sessions.", &transaction)
    }
    var key = InstanceKey(player: operation.player)
    repeat {
      key.instance = transaction.randomInteger()
    } while key.instance == 0 || instances[key] != nil
    instances.add(
      InstanceRow(
        key: key, device: operation.device, game: call.game, lastUsed: transaction.now),
      &transaction)
    return key.instance
  }

  func revokeSession(_ operation: RevokeSession, _ call: Call, _ transaction: inout Transaction) {
    revoke(
      InstanceKey(player: operation.player, instance: operation.instance), except: call.channel,
      "The session was ended.", &transaction)
  }

  private func revoke(
    _ key: InstanceKey, except own: Channel?, _ text: String, _ transaction: inout Transaction
  ) {
    var event = SessionRevoked()
    event.text = text
    for channel in subscriptions.channels(of: key.player, instance: key.instance) {
      subscriptions.close(channel)
      if channel != own { transaction.push(event, to: channel) }
    }
    instances.remove(key, &transaction)
  }

  func expireInstances(
    _ operation: ExpireInstances, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    instances.expire(
      of: player, connected: subscriptions.instances(of: player), &transaction)
  }
}
