import Domain
import Operations
import Wire

extension NumberSetting {
  static let selectBurst = NumberSetting(
    "request-select-burst", .count, default: 200, 1...1_000_000,
    "Pages of the selector of recipients that one player may read in a row, each of which asks up "
      + "to 100 friends.")
  static let selectRefill = NumberSetting(
    "request-select-refill-seconds", .seconds, default: 1, 1...86_400,
    "How long after a burst of such pages a player may read one more.")
}

// The selector of recipients. Names, and who plays, are known at each friend's key alone, where a
// block holds: so each page asks there, and no copy of either is kept for it.

extension RequestCore {
  /// A friend to look at, and the cursor of a page that ends with that friend.
  private struct Place {
    var player: PlayerID
    /// `time`: how many of the suggestions are behind; `id`: the last of the other friends.
    var end: PageCursor<PlayerKind>
    var isSuggested: Bool
  }

  func selectRecipients(
    _ operation: SelectRecipients, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> SelectRecipients.Reply {
    let caller = try caller(call).key
    let list = PagedList(operation, call)
    let isPart = !operation.search.isEmpty || operation.filters.isPart
    let limit = Int(operation.limit)
    let askedMax = isPart ? SelectorLimits.askedMax : limit
    // One more, to know whether others follow.
    let places = places(
      operation, of: caller, after: try list.end(ofPage: operation.cursor), atMost: askedMax + 1)
    let asked = places.prefix(askedMax)
    if let wait = readBudgets.wait(.selections, for: 1, of: caller, now: transaction.now) {
      throw .rateLimited("You have looked through many friends.", wait)
    }
    let profiles = try call.facts(FetchProfile.self, at: asked.map(\.player))
    _ = readBudgets.take(.selections, of: caller, &transaction)
    let search = NameSearch(operation.search)
    var reply = SelectRecipients.Reply()
    var end = places.count > askedMax ? asked.last?.end : nil
    for (index, (place, profile)) in zip(asked, profiles).enumerated() {
      guard profile.isReachable, operation.filters.shows(profile),
        search.matches(profile.displayName) || search.matches(profile.alias)
      else { continue }
      var choice = RecipientChoice()
      choice.profile = seen(profile, by: caller)
      choice.isSuggested = place.isSuggested
      choice.hasConsented = holds(caller, place.player, in: call.game, isHeld: true)
      reply.recipients.append(choice)
      if reply.recipients.count == limit {
        if index + 1 < places.count { end = place.end }
        break
      }
    }
    if let end { reply.cursor = list.text(end) }
    return reply
  }

  /// The friends behind a cursor: the suggested ones, each once, then the others.
  private func places(
    _ operation: SelectRecipients, of caller: PlayerID, after last: PageCursor<PlayerKind>?,
    atMost countMax: Int
  ) -> [Place] {
    let suggestions = operation.recipientSuggestions
    let behind = Int(clamping: last?.time ?? 0)
    var places: [Place] = []
    for (index, player) in suggestions.enumerated().dropFirst(max(0, behind)) {
      if places.count == countMax { return places }
      guard suggestions.firstIndex(of: player) == index, edges.state(caller, player) == .friends
      else { continue }
      let end = PageCursor(time: Int64(index + 1), id: PlayerID())
      places.append(Place(player: player, end: end, isSuggested: true))
    }
    let suggested = Set(suggestions)
    for player in edges.friends(of: caller, after: last?.id ?? PlayerID()) {
      if places.count == countMax { break }
      if suggested.contains(player) { continue }
      let end = PageCursor(time: Int64(suggestions.count), id: player)
      places.append(Place(player: player, end: end, isSuggested: false))
    }
    return places
  }
}

extension RequestFilter {
  /// Whether it shows some of the friends only.
  fileprivate var isPart: Bool { self == .appUsers || self == .appNonUsers }

  fileprivate func shows(_ profile: Profile) -> Bool {
    isPart ? profile.isAppUser == (self == .appUsers) : true
  }
}
