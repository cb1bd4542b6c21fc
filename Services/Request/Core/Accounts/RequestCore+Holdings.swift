import Domain
import Operations
import Wire

// At a player's key: the list of identities, and the devices that they gave a credential.

extension RequestCore {
  // MARK: Coming

  func reserveIdentity(
    _ operation: ReserveIdentity, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReserveIdentity.Reply {
    guard players[operation.player] != nil else {
      throw .refuse(.notAuthenticated, "There is no such player any more.")
    }
    let key = PlayerIdentityKey(player: operation.player, identity: operation.identity)
    var reply = ReserveIdentity.Reply()
    let isImport = call.principal.kind != .service
    if let row = holdings[key], row.state != .leaving {
      reply.link = row.link
      share(row, isImport: isImport, &transaction)
      return reply
    }
    guard holdings[key] != nil || holdings.count(of: key.player) < AccountLimits.identitiesMax
    else {
      throw .refuse(
        .limitReached, "A player has at most \(AccountLimits.identitiesMax) identities.")
    }
    reply.link = newLink(after: holdings[key]?.link ?? 0, &transaction)
    holdings.put(
      PlayerIdentityRow(
        key: key, link: reply.link, state: .reserved, provider: operation.provider,
        subject: operation.subject, since: transaction.now, calls: 1, isImport: isImport),
      &transaction)
    setExpiryTimer(of: key.player, &transaction)
    return reply
  }

  /// A player's call is counted. An operator's call only marks the place, once, so that the audit
  /// has whose place it was too, and an import that is repeated changes nothing.
  private func share(
    _ row: PlayerIdentityRow, isImport: Bool, _ transaction: inout Transaction
  ) {
    guard row.state == .reserved, !(isImport && row.isImport) else { return }
    var row = row
    row.since = transaction.now
    if isImport { row.isImport = true } else { row.calls = max(row.calls, row.calls &+ 1) }
    holdings.put(row, &transaction)
  }

  func settleIdentity(
    _ operation: SettleIdentity, _ call: Call, _ transaction: inout Transaction
  ) -> SettleIdentity.Reply {
    let holding = operation.holding
    let key = PlayerIdentityKey(player: operation.player, identity: holding.identity)
    var reply = SettleIdentity.Reply()
    if operation.isHeld {
      reply.isHeld = hold(holding, key, &transaction)
      if !reply.isHeld { redirect(holding, key, &transaction) }
      return reply
    }
    guard var row = holdings[key], row.link == holding.link, row.state != .held else {
      return reply
    }
    if row.state == .reserved, row.calls > 1 {
      // Another call may get what this one did not.
      row.calls -= 1
      holdings.put(row, &transaction)
    } else {
      holdings.remove(key, &transaction)
    }
    return reply
  }

  /// Answers news of a link that is not the list's: the identity goes to the one that is, so that
  /// late news take nothing from the player, and else to nobody.
  private func redirect(
    _ holding: IdentityHolding, _ key: PlayerIdentityKey, _ transaction: inout Transaction
  ) {
    var pass = PassIdentity()
    (pass.identity, pass.from) = (holding.identity, holding.link)
    if let row = holdings[key] {
      // It is given up already.
      if row.link == holding.link { return }
      if row.state != .leaving { (pass.player, pass.link) = (key.player, row.link) }
    }
    transaction.effect(pass, on: holding.identity, game: "")
  }

  /// Notes that an identity is the player's; makes the player who was made for it, once. Returns
  /// false where the player does not hold it by this link.
  private func hold(
    _ holding: IdentityHolding, _ key: PlayerIdentityKey, _ transaction: inout Transaction
  ) -> Bool {
    if players[key.player] == nil {
      guard holding.makesPlayer, let name = try? kept(displayName: holding.displayName) else {
        return false
      }
      players.put(
        PlayerRow(key: key.player, displayName: name, created: transaction.now), &transaction)
      holdings.put(
        PlayerIdentityRow(
          key: key, link: holding.link, state: .held, provider: holding.provider,
          subject: holding.subject, since: transaction.now), &transaction)
      return true
    }
    guard var row = holdings[key], row.link == holding.link, row.state != .leaving else {
      return false
    }
    if row.state == .reserved {
      (row.state, row.since, row.calls) = (.held, transaction.now, 0)
      row.isImport = false
      holdings.put(row, &transaction)
    }
    return true
  }

  // MARK: Going

  func giveUpIdentity(_ operation: GiveUpIdentity, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let key = PlayerIdentityKey(player: operation.player, identity: operation.pass.identity)
    guard let row = holdings[key], row.link == operation.pass.from, row.state != .reserved else {
      throw .refuse(.conflict, "The identity is not that player's any more.")
    }
    if row.state == .held {
      try checkBans(of: key.player, now: transaction.now)
      if waysIn(of: key.player) == 1 {
        throw .refuse(.conflict, "That player has no other way to sign in.")
      }
      leave(row, operation.pass, &transaction)
    }
  }

  func unlinkIdentity(_ operation: UnlinkIdentity, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = try caller(call).key
    let key = PlayerIdentityKey(player: player, identity: operation.identity)
    guard let row = holdings[key], row.state == .held else {
      throw .notFound("identity", "The player has no such identity.")
    }
    try checkBans(of: player, now: transaction.now)
    if waysIn(of: player) == 1 {
      throw .conflict("identity", "It is the player's last way to sign in.")
    }
    var pass = PassIdentity()
    (pass.identity, pass.from) = (operation.identity, row.link)
    leave(row, pass, &transaction)
  }

  private func leave(
    _ row: PlayerIdentityRow, _ pass: PassIdentity, _ transaction: inout Transaction
  ) {
    var (row, pass) = (row, pass)
    row.state = .leaving
    holdings.put(row, &transaction)
    pass.owner = row.key.player
    transaction.effect(pass, on: pass.identity, game: "")
  }

  /// How many credentials and identities there are to sign in with.
  private func waysIn(of player: PlayerID) -> Int {
    devices.count(of: player) + holdings.rows(of: player).count { $0.state == .held }
  }

  // MARK: The list

  func listIdentities(_ operation: ListIdentities, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListIdentities.Reply
  {
    let player = try caller(call).key
    var reply = ListIdentities.Reply()
    reply.identities = holdings.rows(of: player)
      .filter { $0.state == .held }
      .sorted { ($0.since, $0.key) < ($1.since, $1.key) }
      .map { row in
        var identity = LinkedIdentity()
        identity.identity = row.key.identity
        (identity.provider, identity.subject) = (row.provider, row.subject)
        identity.linkedAt = row.since
        return identity
      }
    return reply
  }

  func expireReservations(
    _ operation: ExpireReservations, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    let end = transaction.now - AccountLimits.reservationMilliseconds
    for row in reservations(of: player).sorted(by: { $0.key < $1.key }) where row.since <= end {
      holdings.remove(row.key, &transaction)
    }
    expireBans(of: player, &transaction)
    setExpiryTimer(of: player, &transaction)
    expireUnused(player, &transaction)
  }

  private func reservations(of player: PlayerID) -> some Sequence<PlayerIdentityRow> {
    holdings.rows(of: player).lazy.filter { $0.state == .reserved }
  }

  /// For when the first place or ban is over.
  func setExpiryTimer(of player: PlayerID, _ transaction: inout Transaction) {
    let places = reservations(of: player).map { $0.since + AccountLimits.reservationMilliseconds }
    guard let first = [places.min(), firstBanEnd(of: player)].compactMap(\.self).min() else {
      return
    }
    transaction.setTimer(ExpireReservations(), on: player, at: first)
  }

  // MARK: Devices

  func enrollDevice(_ operation: EnrollDevice, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = operation.player
    let key = DeviceKey(player: player, device: operation.device)
    let holding = PlayerIdentityKey(player: player, identity: operation.holding.identity)
    try checkHolding(operation.holding, holding)
    try checkBans(of: player, in: "", now: transaction.now)
    let name = try kept(deviceName: operation.deviceName)
    // An attempt that is repeated makes the same secret.
    let isThere = SecretHash.isAmong(
      [operation.secretHash] + operation.otherHashes, devices[key]?.secretHash)
    let surplus = isThere ? nil : try surplusDevice(of: player)
    // From here on nothing is refused.
    if !hold(operation.holding, holding, &transaction) {
      redirect(operation.holding, holding, &transaction)
    }
    if isThere { return }
    if let surplus { removeDevice(surplus, &transaction) }
    devices.put(
      DeviceRow(
        key: key, secretHash: operation.secretHash, hasSignedIn: true, name: name,
        provider: holdings[holding]?.provider ?? "", added: transaction.now), &transaction)
  }

  private func checkHolding(_ holding: IdentityHolding, _ key: PlayerIdentityKey) throws(Stop) {
    if players[key.player] == nil {
      guard holding.makesPlayer else { throw .refusedProof }
      _ = try kept(displayName: holding.displayName)
    } else {
      // By another link too: whose the identity is was told by its key, and holds here as well.
      guard let row = holdings[key], row.state != .leaving,
        row.state == .held || row.link == holding.link
      else { throw .refusedProof }
    }
  }
}
