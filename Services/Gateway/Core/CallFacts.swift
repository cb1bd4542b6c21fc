public import Wire

/// The facts of one call: those it has, and which its gateway fetches next.
///
/// First come those that the operation declares, one at a time: few calls need more than one, and a
/// call that is refused early costs nobody more than that. Then the call is made; the service may
/// refuse it for a fact that only it knows the need of, and it is made again with that one.
public struct CallFacts {
  /// A service asks for one fact; for another one when what it asked by has changed meanwhile.
  static let demandsMax = 3

  public private(set) var facts = Facts()
  private let principal: Principal
  private var needs: Needs
  private var demands = 0

  public init(_ needs: Needs, of principal: Principal) {
    self.needs = needs
    self.principal = principal
  }

  /// The next of the declared facts; nil when the call can be made. What this gateway does not know
  /// is left out.
  public var next: FactFetch? {
    if needs.contains(.friends) { return .friends(of: principal.player) }
    if needs.contains(.achievementRules) { return .achievementRules(of: principal.game) }
    if needs.contains(.achievements) { return .achievements(of: principal.player) }
    return nil
  }

  /// The answer to `next`. A fact that cannot be had fails the call.
  public mutating func take(_ answer: Result<[UInt8], Failure>, of fetch: FactFetch)
    throws(Failure)
  {
    try fetch.attach(answer.get(), to: &facts)
    needs.subtract(fetch.need)
  }

  /// What to fetch before the call is made again, when that is why it was refused.
  public mutating func demanded(by failure: Failure) throws(Failure) -> FactFetch {
    guard failure.code == .factRequired else { throw failure }
    demands += 1
    guard demands <= Self.demandsMax else {
      throw Failure(.unavailable, "What the call is about keeps changing.")
    }
    guard let demand = try? FactDemand(decoding: failure.detail.array),
      let context = demand.participantsOf
    else { throw Failure(.unavailable, "The service asks for a fact that is not known here.") }
    return .participants(of: context)
  }
}
