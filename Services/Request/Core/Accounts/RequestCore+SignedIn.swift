import Domain
import Operations
import Wire

// Devices and sessions of a player, as the player sees and ends them.

extension RequestCore {
  func kept(deviceName: String) throws(Stop) -> String {
    if deviceName.isEmpty { return deviceName }
    guard deviceName.utf8.count <= AccountLimits.deviceNameBytesMax else {
      throw .invalidArgument(
        "deviceName",
        "A device's name has at most \(AccountLimits.deviceNameBytesMax) bytes.")
    }
    if let fault = TextRules.fault(inLine: deviceName) {
      throw .invalidArgument("deviceName", "The device's name \(fault).")
    }
    return deviceName
  }

  /// The device that has to go before `player` can have another; nil while there is room.
  func surplusDevice(of player: PlayerID) throws(Stop) -> DeviceKey? {
    let rows = Array(devices.rows(of: player))
    guard rows.count >= AccountLimits.devicesMax else { return nil }
    let connected = subscriptions.instances(of: player)
    let inUse = Set(
      instances.rows(of: player).filter { connected.contains($0.key.instance) }.map(\.device))
    let idle = rows.filter { !inUse.contains($0.key.device) }
    let oldest = idle.min {
      (max($0.lastSignIn, $0.added), $0.key) < (max($1.lastSignIn, $1.added), $1.key)
    }
    guard let oldest else {
      throw .refuse(
        .limitReached, "All of the player's \(AccountLimits.devicesMax) devices are connected.")
    }
    return oldest.key
  }

  /// Takes a device's credential away, and ends its sessions.
  func removeDevice(_ key: DeviceKey, _ transaction: inout Transaction) {
    for row in instances.rows(of: key.player) where row.device == key.device {
      revoke(
        row.key, .init(.deviceRemoved, "The device was signed out for good."), isLeft: true,
        &transaction)
    }
    devices.remove(key, &transaction)
    forgetPlaces(of: key, &transaction)
  }

  /// Whether a session is that of the call. Before a gateway that has lost this process has opened
  /// the session again, any session of the caller's device counts as it.
  private func isOwn(_ row: InstanceRow, _ call: Call) -> Bool {
    if let own = call.channel.flatMap({ subscriptions.instance(of: $0) }) {
      return row.key.instance == own
    }
    return row.device == call.principal.device
  }

  func listSessions(_ operation: ListSessions, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListSessions.Reply
  {
    let player = try caller(call).key
    let connected = subscriptions.instances(of: player)
    var reply = ListSessions.Reply()
    reply.devices = devices.rows(of: player)
      .sorted { ($1.lastSignIn, $1.key) < ($0.lastSignIn, $0.key) }
      .map { row in
        var device = SignedInDevice()
        device.device = row.key.device
        (device.name, device.provider) = (row.name, row.provider)
        (device.addedAt, device.lastSignIn) = (row.added, row.lastSignIn)
        device.isOwn = row.key.device == call.principal.device
        return device
      }
    reply.sessions = instances.rows(of: player)
      .sorted { ($1.lastUsed, $1.key) < ($0.lastUsed, $0.key) }
      .map { row in
        var session = OpenSessionInfo()
        (session.session, session.device) = (row.key.instance, row.device)
        (session.game, session.began, session.lastUsed) = (row.game, row.began, row.lastUsed)
        session.isConnected = connected.contains(row.key.instance)
        session.isOwn = isOwn(row, call)
        return session
      }
    return reply
  }

  func endSession(_ operation: EndSession, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = try caller(call).key
    let session = InstanceKey(player: player, instance: operation.session)
    let device = DeviceKey(player: player, device: operation.device)
    if operation.session != 0 {
      guard let row = instances[session] else {
        throw .notFound("session", "The player has no such session.")
      }
      if isOwn(row, call) {
        throw .invalidArgument("session", "The own session is ended by signing out.")
      }
    }
    if !operation.device.isNil {
      if operation.device == call.principal.device {
        throw .invalidArgument("device", "The own session is ended by signing out.")
      }
      guard devices[device] != nil else {
        throw .notFound("device", "The player has no such device.")
      }
    }
    // From here on nothing is refused.
    if operation.session != 0 {
      revoke(session, .endedByPlayer, isLeft: true, &transaction)
    }
    if !operation.device.isNil { removeDevice(device, &transaction) }
  }

  func signOutEverywhere(
    _ operation: SignOutEverywhere, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> SignOutEverywhere.Reply {
    let player = try caller(call).key
    var reply = SignOutEverywhere.Reply()
    for row in instances.rows(of: player) where !isOwn(row, call) {
      revoke(row.key, .endedByPlayer, isLeft: true, &transaction)
      reply.sessions += 1
    }
    for row in devices.rows(of: player).sorted(by: { $0.key < $1.key })
    where row.key.device != call.principal.device {
      devices.remove(row.key, &transaction)
      forgetPlaces(of: row.key, &transaction)
      reply.devices += 1
    }
    return reply
  }
}

extension SessionRevoked {
  fileprivate static var endedByPlayer: SessionRevoked {
    SessionRevoked(.endedByPlayer, "The player has ended this session from another one.")
  }
}
