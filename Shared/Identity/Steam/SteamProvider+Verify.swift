/// Who a Steam ticket says a player is, and what Steam holds against the player.
public struct SteamIdentity: Hashable, Sendable {
  /// Its subject is the player's 64-bit Steam id in decimal digits.
  public let identity: VerifiedIdentity
  /// Who owns the game: another player than the subject if the game is borrowed.
  public let ownerID: String
  /// Whether Valve's anti-cheat has banned the player from the game.
  public let isVACBanned: Bool
  /// Whether the publisher has banned the player from the game.
  public let isPublisherBanned: Bool
}

extension SteamProvider {
  /// Reads Steam's answer about a ticket.
  ///
  /// - Parameters:
  ///   - answer: the body of the answer, at most 4 KiB.
  ///   - status: its HTTP status. Steam says with 200 that a ticket is wrong; any other status says
  ///     nothing of the ticket.
  ///   - ticket: what the call was made with.
  ///   - player: who the client says it is; nil if it does not say.
  ///   - now: milliseconds since 1970 by the wall clock.
  public func verify(
    answer: [UInt8], status: Int, ticket: String, player: String? = nil, now: Int64
  ) throws(IdentityError) -> SteamIdentity {
    let bytes = try Self.bytes(ticket)
    guard status == 200 else { throw .answerStatus(status) }
    let fields = try Self.fields(answer)
    guard let steamID = fields["steamid"]?.text, Self.isPlayer(steamID),
      let ownerID = fields["ownersteamid"]?.text, Self.isPlayer(ownerID),
      let isVACBanned = fields["vacbanned"]?.boolean,
      let isPublisherBanned = fields["publisherbanned"]?.boolean
    else { throw .answerMalformed }
    if let player, !isSame(player, steamID) { throw .playerDiffers }
    guard allowsBorrowedGames || isSame(ownerID, steamID) else { throw .ownerDiffers }
    let identity = VerifiedIdentity(
      provider: name, subject: steamID, validUntil: now + ticketSecondsMax * 1000,
      proofHash: sha256(bytes))
    return SteamIdentity(
      identity: identity, ownerID: ownerID, isVACBanned: isVACBanned,
      isPublisherBanned: isPublisherBanned)
  }

  /// The fields of an answer whose result is OK.
  private static func fields(_ answer: [UInt8]) throws(IdentityError) -> JSON {
    let outermost: JSON
    do {
      outermost = try JSON.object(answer, sizeMax: IdentityLimits.steamAnswerSizeMax)
    } catch { throw error == .tooLarge ? .answerTooLarge : .answerMalformed }
    guard let response = outermost["response"] else { throw .answerMalformed }
    if let error = response["error"] {
      throw error["errorcode"]?.integer.map { .refusedByProvider($0) } ?? .answerMalformed
    }
    guard let fields = response["params"], let result = fields["result"]?.text else {
      throw .answerMalformed
    }
    guard isSame(result, "OK") else { throw .resultNotOK }
    return fields
  }

  /// Whether a text is the id of a person's account in Steam's public universe: an account number
  /// of 32 bits that is not 0, below the bits for universe 1, type 1 (individual) and instance 1.
  private static func isPlayer(_ text: String) -> Bool {
    guard let number = UInt64(text), String(number) == text else { return false }
    return number >> 32 == 0x0110_0001 && number & 0xffff_ffff != 0
  }
}
