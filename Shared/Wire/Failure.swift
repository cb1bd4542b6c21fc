/// Why a call was refused. The raw values are stable: new ones are added, and none ever changes.
public struct FailureCode: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No handler is known for the opcode.
  public static let unknownOperation = Self(rawValue: 1)
  /// The body does not fit the operation's field list.
  public static let malformed = Self(rawValue: 2)
  /// Nobody is signed in on this connection.
  public static let notAuthenticated = Self(rawValue: 3)
  /// The principal may not call this operation.
  public static let notAllowed = Self(rawValue: 4)
  /// The outcome is unknown: repeat the call with the same idempotency key. But where `detail`
  /// holds the name of a service as text, the deployment runs none: nothing was done, and repeating
  /// is of no use.
  public static let unavailable = Self(rawValue: 5)
  /// No answer came within the deadline; the outcome is unknown, as with `unavailable`.
  public static let deadlineExceeded = Self(rawValue: 6)
  /// A budget is used up; `retryAfterMilliseconds` says when to try again. Nothing was done.
  public static let rateLimited = Self(rawValue: 7)
  /// A bounded queue is full. Nothing was done. The client's own is `openCallsMax` alone: with so
  /// many calls open, wait for an answer. All others are the deployment's, and soon have room.
  public static let backpressure = Self(rawValue: 8)
  /// The disk of the service is full, and nothing can be changed there: where it is the request
  /// service's, nobody can sign in or resume. Nothing was done. Reads go on, but for those of a key
  /// with a change that waits for room.
  public static let storageFull = Self(rawValue: 9)
  /// The idempotency counter is below the client's floor, or the answers of its session were
  /// forgotten; the call was not run.
  public static let staleKey = Self(rawValue: 10)
  /// The counter was used before, at the process of the same key, with other bytes. Nothing was
  /// done.
  public static let keyReused = Self(rawValue: 11)
  /// The slot of the key belongs to another process.
  public static let wrongPartition = Self(rawValue: 12)
  /// An argument is missing; `argument` names it.
  public static let requiredArgument = Self(rawValue: 13)
  /// An argument breaks a rule; `argument` names it.
  public static let invalidArgument = Self(rawValue: 14)
  public static let notFound = Self(rawValue: 15)
  /// The player cannot be reached: unknown, blocked or erased, which are not told apart.
  public static let notReachable = Self(rawValue: 16)
  /// The state that the call was made for has changed meanwhile, or forbids the call. Nothing was
  /// done. Where a version of a turn-based game is at fault, `detail` is a `TurnGameView`; where a
  /// proof is, an `IdentityConflict`.
  public static let conflict = Self(rawValue: 17)
  public static let limitReached = Self(rawValue: 18)
  /// The chosen context is the player's current one already.
  public static let sameContext = Self(rawValue: 19)
  /// Another dialog of the same kind is open.
  public static let pendingRequest = Self(rawValue: 20)
  public static let alreadyExists = Self(rawValue: 21)
  /// The credential or the session token is wrong, expired or revoked.
  public static let invalidCredential = Self(rawValue: 22)
  public static let sessionExpired = Self(rawValue: 23)
  public static let matchEnded = Self(rawValue: 24)
  /// The connection was closed by the other side or could not be made.
  public static let disconnected = Self(rawValue: 25)
  /// The player closed the dialog.
  public static let cancelled = Self(rawValue: 26)
  /// Between services: an effect came before the one it follows; it is sent again in order.
  public static let outOfOrder = Self(rawValue: 27)
  /// The call came too early, too late, or between two periods in which it is taken.
  /// `retryAfterMilliseconds` says when to try again, and is 0 when nobody knows or when it is of
  /// no use. Nothing was done.
  public static let notOpen = Self(rawValue: 28)
  /// Between a service and a gateway: the gateway makes the call again with the fact that `detail`,
  /// a `FactDemand`, asks for. Nothing was done.
  public static let factRequired = Self(rawValue: 29)
  /// More answers wait for a higher floor than are remembered. Nothing was done: raise the floor,
  /// which may be done under the same counter, and make the call again.
  public static let floorTooLow = Self(rawValue: 30)
  /// A cursor is beyond the end of this event stream, or of a time that was undone when a backup
  /// was put back. `detail`, a `StreamEnds`, says where the stream ends.
  /// Nothing was done: make the call without the cursor.
  public static let cursorLost = Self(rawValue: 31)
  /// The player may not sign in to this game, or to any; `detail` is a `Ban`, which says until
  /// when. Only who has shown a right credential is told.
  public static let banned = Self(rawValue: 32)

  public static let names = [
    "none", "unknownOperation", "malformed", "notAuthenticated", "notAllowed", "unavailable",
    "deadlineExceeded", "rateLimited", "backpressure", "storageFull", "staleKey", "keyReused",
    "wrongPartition", "requiredArgument", "invalidArgument", "notFound", "notReachable", "conflict",
    "limitReached", "sameContext", "pendingRequest", "alreadyExists", "invalidCredential",
    "sessionExpired", "matchEnded", "disconnected", "cancelled",
    "outOfOrder", "notOpen", "factRequired", "floorTooLow", "cursorLost", "banned",
  ]

  /// Where codes are counted: a place for each that this version knows, and one for all others.
  package static let placeCount = names.count + 1

  /// The place of the code, which is that of its name.
  package var place: Int { min(Int(rawValue), Self.placeCount - 1) }
}

/// The body of an error frame, and what a handler throws to refuse a call.
public struct Failure: Error, Message {
  public var code: FailureCode = FailureCode()
  /// The name of the field at fault; empty when no single field is.
  public var argument = ""
  /// One sentence for a person.
  public var text = ""
  public var retryAfterMilliseconds: UInt32 = 0
  /// The fields of the message that the code's line names; otherwise empty.
  public var detail = Bytes()

  public init() {}

  public init(
    _ code: FailureCode, argument: String = "", _ text: String,
    retryAfterMilliseconds: UInt32 = 0, detail: Bytes = Bytes()
  ) {
    self.code = code
    self.argument = argument
    self.text = text
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.detail = detail
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("code", &code)
    visit.field("argument", &argument)
    visit.field("text", &text)
    visit.field("retryAfterMilliseconds", &retryAfterMilliseconds)
    visit.field("detail", &detail)
  }
}

extension Failure: CustomStringConvertible {
  public var description: String {
    argument.isEmpty ? "\(code): \(text)" : "\(code) (\(argument)): \(text)"
  }
}
