import MusterKit
import Operations
import Wire

/// A call about an identity that several players have proofs of.
struct IdentityAct {
  enum Kind {
    case linked
    case unlinked
    /// It was refused.
    case none
    /// Nobody knows: it may still take effect.
    case unknown
  }

  var subject: String
  var player: PlayerID
  var kind: Kind
  var span: ClosedRange<Int64>
}

/// Identities that players link, move and unlink, and bans.
extension Workload {
  static let subjects = ["ann", "bea", "cat"]

  func useIdentity(_ client: SimulatedClient) {
    let subject = schedule.pick(Self.subjects) ?? ""
    if schedule.isChance(oneIn: 3) { return unlink(subject, client) }
    link(client.proof(of: subject), subject, from: PlayerID(), client)
  }

  /// Links an identity; where it is another's, mostly takes it over with the same proof.
  private func link(
    _ proof: IdentityProof, _ subject: String, from owner: PlayerID, _ client: SimulatedClient
  ) {
    var link = LinkIdentity()
    (link.proof, link.movesFrom) = (proof, owner)
    let act = begin(subject, client)
    client.call(link) { [self] result in
      switch result {
      case .success:
        end(act, .linked)
        deployment.count(owner.isNil ? .identitiesLinked : .identitiesMoved)
      case .failure(let failure):
        end(act, failure.kindOfAct)
        guard owner.isNil, failure.code == .conflict, failure.argument == "proof",
          let conflict = try? IdentityConflict(decoding: failure.detail.array)
        else { return }
        deployment.count(.identityConflicts)
        if conflict.player != client.player || conflict.owner == client.player {
          deployment.fail("2.8 \(client.player) is told of the conflict \(conflict)")
        }
        if schedule.isChance(oneIn: 2) {
          self.link(proof, subject, from: conflict.owner, client)
        }
      }
    }
  }

  private func unlink(_ subject: String, _ client: SimulatedClient) {
    var unlink = UnlinkIdentity()
    unlink.identity = SimulatedGateway.identity(of: subject)
    let act = begin(subject, client)
    client.call(unlink) { [self] result in
      if case .failure(let failure) = result {
        return end(act, failure.kindOfAct)
      }
      end(act, .unlinked)
      deployment.count(.identitiesUnlinked)
    }
  }

  /// Notes a call that begins. Nobody learns how it ends whose process dies meanwhile.
  private func begin(_ subject: String, _ client: SimulatedClient) -> Int {
    society.acts.append(
      IdentityAct(
        subject: subject, player: client.player, kind: .unknown,
        span: schedule.now...schedule.now))
    return society.acts.count - 1
  }

  private func end(_ act: Int, _ kind: IdentityAct.Kind) {
    society.acts[act].kind = kind
    society.acts[act].span = society.acts[act].span.lowerBound...schedule.now
  }

  // MARK: Bans

  /// The judge waits until it knows: a ban or its end that comes late would undo what follows.
  func banSomebody() {
    guard let player = schedule.pick(clients.filter(\.hasSignedIn))?.player,
      society.banned.insert(player).inserted
    else { return }
    var ban = BanPlayer()
    (ban.player, ban.reason) = (player, "for a while")
    judge.call(CallBook.Request(ban), within: SimulatedClient.patience) { [self] result in
      guard case .success = result else { return }
      deployment.bans.insert(player)
      deployment.count(.playersBanned)
      judge.later(number(200...3_000)) { self.lift(player) }
    }
  }

  /// Lifts a ban, and again until that has succeeded or there is none.
  private func lift(_ player: PlayerID) {
    deployment.bans.remove(player)
    var operation = LiftBan()
    operation.player = player
    judge.call(CallBook.Request(operation), within: SimulatedClient.patience) { [self] result in
      guard case .failure(let failure) = result else {
        society.banned.remove(player)
        return
      }
      if failure.failure.code != .notFound, deployment.ledger.erasures[player] == nil {
        judge.later(100) { self.lift(player) }
      }
    }
  }

  /// Lifts whatever ban may be left, also one that comes late, since nobody waits for it any more.
  func liftAll() {
    judge.later(Self.lateMilliseconds) { [self] in
      for player in society.banned.sorted() { lift(player) }
      society.banned = []
    }
  }

  /// A time in which every call has come that is under way.
  private static let lateMilliseconds: Int64 = 5_000
}

extension Failure {
  fileprivate var kindOfAct: IdentityAct.Kind {
    [.conflict, .notFound, .limitReached, .invalidCredential].contains(code) ? .none : .unknown
  }
}
