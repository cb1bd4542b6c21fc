import Domain
import Operations
import Wire

/// Identities, devices, sessions and bans.
extension RequestCore {
  func registerAccounts(_ tables: inout Tables) {
    tables.resident(IdentityRow.self) { self.identities.load($0) }
    // A hash of an identity and hashes of what was used once: they say of nobody who it is.
    tables.resident(UsedProofRow.self, about: .nobody) { self.proofs.load($0) }
    tables.resident(PlayerIdentityRow.self) { self.holdings.load($0) }
    tables.resident(BanRow.self) { self.bans.load($0) }
  }

  func registerAccounts(_ router: inout Router) {
    router.on(ClaimIdentity.self, claimIdentity)
    router.on(PassIdentity.self, passIdentity)
    router.on(ExpireProofs.self, expireProofs)
    router.on(ReserveIdentity.self, reserveIdentity)
    router.on(SettleIdentity.self, settleIdentity)
    router.on(GiveUpIdentity.self, giveUpIdentity)
    router.on(ExpireReservations.self, expireReservations)
    router.on(EnrollDevice.self, enrollDevice)
    router.on(ListIdentities.self, listIdentities)
    router.on(UnlinkIdentity.self, unlinkIdentity)
    router.on(ListSessions.self, listSessions)
    router.on(EndSession.self, endSession)
    router.on(SignOutEverywhere.self, signOutEverywhere)
    router.on(BanPlayer.self, banPlayer)
    router.on(LiftBan.self, liftBan)
  }

  func accountsLoaded(_ transaction: inout Transaction) {
    for identity in proofs.groups { setProofTimer(identity, &transaction) }
    for player in Set(holdings.groups).union(bans.groups) {
      setExpiryTimer(of: player, &transaction)
    }
    unusedAccountsLoaded(&transaction)
  }
}
