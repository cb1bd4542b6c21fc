public import Domain
import Operations
public import Wire

// A player is erased (rule 7.3).

extension RequestCore {
  /// Somebody who is unknown here is erased where the operator says so: a board may have the score
  /// of an account that nobody has used and that is gone, and a store that went back to a backup
  /// does not know who came since.
  func erasePlayer(_ operation: ErasePlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    // Somebody who is erased already has a stand-in here. It changes nothing: the audit would keep
    // the id.
    if call.standIns.contains(operation.player) { return }
    guard operation.evenIfUnknown || players[operation.player] != nil else {
      throw .notFound("player", "The request service knows no such player.")
    }
    erase(operation.player, asked: nil, &transaction)
  }

  func eraseMyself(_ operation: EraseMyself, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = try caller(call).key
    guard operation.confirmed == player else {
      throw .invalidArgument("confirmed", "A player confirms by the own id that all is erased.")
    }
    // An identity of an erased player is free: who is banned would come back by it as somebody new.
    try checkBans(of: player, now: transaction.now)
    if let wait = erasurePace.take(at: Self.erasureRate, now: transaction.now) {
      throw .rateLimited("Many players are being erased.", wait)
    }
    erase(player, asked: call.channel, &transaction)
  }

  /// Players whom a process lets erase themselves: ten in a row and ten a minute. Each costs all
  /// services an effect for every slot, a look at all rows, and their files.
  private static let erasureRate = TokenBucket.Rate(
    burst: 10 as Int64, refillMilliseconds: 6_000)

  private static let erasedEvent = SessionRevoked(.erased, "The player was erased.")

  /// Ends the sessions, and begins at the player's own key: what is done there tells all others.
  ///
  /// - Parameter own: where the player has asked for it, who learns it from the answer.
  private func erase(_ player: PlayerID, asked own: Channel?, _ transaction: inout Transaction) {
    for session in instances.rows(of: player) {
      revoke(session.key, Self.erasedEvent, except: own, &transaction)
    }
    let erasure = Erasure(of: player) { transaction.randomInteger() }
    tell(
      EraseRequestRecords.self, of: erasure, at: RoutingKey(reinterpreting: player), &transaction)
  }

  private func tell<E: RecordsErasure>(
    _ type: E.Type, of erasure: Erasure, at key: RoutingKey, _ transaction: inout Transaction
  ) {
    var operation = E()
    operation.key = key
    (operation.player, operation.standIn) = (erasure.player, erasure.standIn)
    transaction.effect(operation, on: key, game: "")
  }

  public func shape(of opcode: Opcode) -> Shape? {
    router[opcode]?.shape ?? StreamEvents.shape(of: opcode)
  }

  public func isErasure(_ opcode: Opcode) -> Bool { RecordsErasures.contains(opcode) }

  /// An event of the player's may be on its way to the push hook.
  public func mayNameErased(_ opcode: Opcode) -> Bool {
    opcode == BeginPush.opcode || opcode == EndPush.opcode
  }

  /// Sessions are over, and nobody is told of the player's presence, which only memory has. The
  /// process that owns the player tells each slot of all services: here and not where the erasure
  /// is asked for, so that they are told again when this process finds only in its list that it has
  /// erased the player.
  public func erased(
    _ erasure: Erasure, isOwner: Bool, _ transaction: inout Transaction
  ) {
    toldOnline.remove(erasure.player)
    latePresence.forget(erasure.player)
    guard isOwner else { return }
    endLateSessions(of: erasure.player, &transaction)
    tell(of: erasure, to: { _ in true }, &transaction)
  }

  /// Tells the devices whose sessions began after the erasure was asked for: it waits where the
  /// list cannot be written. The rows and the timers of the sessions go with the player's others.
  private func endLateSessions(of player: PlayerID, _ transaction: inout Transaction) {
    for channel in subscriptions.channels(of: player, game: "") {
      subscriptions.close(channel)
      transaction.push(Self.erasedEvent, to: channel)
    }
  }

  public func tell(
    of erasure: Erasure, to isTold: (Service) -> Bool, _ transaction: inout Transaction
  ) {
    for operation in RecordsErasures.all where operation.opcode.service.map(isTold) == true {
      for key in Slot.keys { tell(operation, of: erasure, at: key, &transaction) }
    }
  }

  func registerErasure(_ tables: inout Tables) {
    registerOwnErasure(&tables)
    registerFriendErasure(&tables)
    registerRequestErasure(&tables)
    registerStreamErasure(&tables)
  }

  /// Rows that are the player's alone.
  private func registerOwnErasure(_ tables: inout Tables) {
    tables.erases(PlayerRow.self) { (row, erasure, transaction) in
      self.players.erase(row.key, erasure, &transaction)
    }
    tables.erases(ProfileRow.self) { (row, erasure, transaction) in
      self.profiles.erase(row.key, erasure, &transaction)
    }
    tables.erases(PhotoUploadRow.self) { (row, erasure, transaction) in
      self.uploads.erase(row.key, erasure, &transaction)
    }
    tables.erases(DeviceRow.self) { (row, erasure, transaction) in
      self.devices.erase(row.key, erasure, &transaction)
    }
    tables.erases(InstanceRow.self) { (row, _, transaction) in
      self.instances.erase(row.key, &transaction)
    }
    tables.erases(PlayerGameRow.self) { (row, erasure, transaction) in
      self.games.erase(row.key, erasure, &transaction)
    }
    tables.erases(PlayerBudgetRow.self) { (row, _, transaction) in
      self.budgets.erase(row.key, &transaction)
    }
    tables.erases(BanRow.self) { (row, erasure, transaction) in
      self.bans.erase(row.key, erasure, &transaction)
    }
    tables.erases(PlayerIdentityRow.self) { (row, erasure, transaction) in
      self.holdings.erase(row.key, erasure, &transaction)
    }
    // Whoever signs in with the identity is somebody new.
    tables.erases(IdentityRow.self) { (row, _, transaction) in
      self.identities.remove(row.key, &transaction)
    }
  }

  /// Between two players there is nothing left when one of them is erased.
  private func registerFriendErasure(_ tables: inout Tables) {
    tables.erases(FriendEdgeRow.self) { (row, _, transaction) in
      self.edges.erase(row.key, &transaction)
    }
    tables.erases(ConsentRow.self) { (row, _, transaction) in
      self.consents.remove(row.key, &transaction)
    }
    tables.goes(FriendEdgeRow.self) { [$0.key.friend] }
    tables.goes(ConsentRow.self) { [$0.key.other] }
    tables.erases(RecentPlayersRow.self) { (row, erasure, transaction) in
      transaction.remove(RecentPlayersRow.self, row.key)
      if erasure.owns(row) { return }
      var rest = row
      rest.met.removeAll { $0.player == erasure.player }
      transaction.put(rest)
    }
  }

  private func registerRequestErasure(_ tables: inout Tables) {
    tables.erases(ReceivedRequestRow.self) { (row, erasure, transaction) in
      let wasOpen = self.requests.erase(row, &transaction)
      // Whoever has sent it to the player learns that it is over, and no more.
      if wasOpen && erasure.owns(row) {
        self.conclude(
          row.key.request, of: row.sender, by: erasure.standIn, .expired, game: row.game,
          &transaction)
      }
    }
    tables.goes(ReceivedRequestRow.self) { [$0.sender] }
    tables.erases(ReceivedBudgetRow.self) { (row, _, transaction) in
      self.receivedBudgets.erase(row.key, &transaction)
    }
    tables.erases(InviteTokenRow.self) { (row, erasure, transaction) in
      self.inviteTokens.erase(row.key, erasure, &transaction)
    }
  }

  private func registerStreamErasure(_ tables: inout Tables) {
    tables.erases(StreamRow.self) { (row, erasure, transaction) in
      self.streams.erase(row.key, erasure, &transaction)
    }
    tables.erases(StreamShareRow.self) { (row, erasure, transaction) in
      self.shares.erase(row.key, erasure, &transaction)
    }
    tables.erases(DeviceCursorRow.self) { (row, erasure, transaction) in
      self.cursors.erase(row.key, erasure, &transaction)
    }
    tables.erases(EventRow.self) { (row, erasure, transaction) in
      transaction.remove(EventRow.self, row.key)
      if erasure.owns(row) { return }
      var rest = row
      let shape = StreamEvents.shape(of: Opcode(rawValue: row.kind))
      rest.body = Bytes(
        shape.flatMap { erasure.rest(of: row.body.array, $0) } ?? erasure.renamed(row.body.array))
      transaction.put(rest)
    }
    tables.erases(PushQueueRow.self) { (row, _, transaction) in
      transaction.remove(PushQueueRow.self, row.key)
    }
  }
}
