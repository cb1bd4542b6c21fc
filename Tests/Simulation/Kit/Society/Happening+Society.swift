import Operations
import Wire

// Happenings of societies.
extension Happenings {
  mutating func take(_ model: RequestModel) {
    for (happening, count) in model.counts { set(happening, count) }
  }

  mutating func takeSociety(_ ledger: Ledger, _ counts: [Happening: Int]) {
    for (happening, count) in counts where happening.isOfSocieties { set(happening, count) }
    let claims = ledger.refusals.filter { $0.asked.opcode == ClaimInviteToken.opcode }
      .map(\.failure.code)
    set(.claimsRefusedClaimed, claims.count { $0 == .alreadyExists })
    set(.claimsRefusedRevoked, claims.count { $0 == .conflict })
    set(.claimsRefusedExpired, claims.count { $0 == .notOpen })
    set(
      .requestsOfOthers,
      ledger.refusals.count {
        $0.asked.opcode == AnswerRequest.opcode && $0.failure.code == .notFound
      })
  }
}
