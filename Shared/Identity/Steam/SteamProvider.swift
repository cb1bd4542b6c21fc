import Wire

/// Whose Steam tickets are believed, and how Steam is asked about them.
public struct SteamProvider: Sendable {
  public let name: String
  public let appID: UInt32
  /// The text that the game gives `GetAuthTicketForWebApi`. A ticket that was made for somebody
  /// else's server is refused for it.
  public let identity: String
  /// The publisher's key of the web interface; a secret.
  private let webKey: String
  /// Where Steam is asked.
  public var address = "https://partner.steam-api.com/ISteamUserAuth/AuthenticateUserTicket/v1/"
  /// Whether players may sign in with a game that they borrow from its owner.
  public var allowsBorrowedGames = false
  /// For how long a ticket that was taken is remembered, in seconds. Steam does not say when a
  /// ticket ends.
  public var ticketSecondsMax: Int64 = 24 * 3600

  public init(name: String = "steam", appID: UInt32, identity: String, webKey: String) {
    self.name = name
    self.appID = appID
    self.identity = identity
    self.webKey = webKey
  }

  /// The web call that asks Steam about a ticket: GET over HTTPS.
  ///
  /// - Parameter ticket: hexadecimal digits, as games send it; at most 2,560 bytes.
  public func call(ticket: String) throws(IdentityError) -> WebCall {
    let digits = Hexadecimal.text(try Self.bytes(ticket))
    return WebCall(
      url: address,
      form: [
        ("key", webKey), ("appid", String(appID)), ("ticket", digits), ("identity", identity),
      ])
  }

  static func bytes(_ ticket: String) throws(IdentityError) -> [UInt8] {
    let digits = Array(ticket.utf8)
    let sizes = 2...(IdentityLimits.ticketSizeMax * 2)
    guard sizes.contains(digits.count), digits.count.isMultiple(of: 2) else {
      throw .ticketMalformed
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else {
        throw .ticketMalformed
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

// Neither holds a secret that a log could show by accident.
extension SteamProvider: CustomStringConvertible {
  public var description: String { "\(name) (app \(appID))" }
}
extension SteamProvider: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "appID": appID]) }
}
