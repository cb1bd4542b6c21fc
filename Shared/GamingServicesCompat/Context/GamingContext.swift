public import Foundation
internal import Locking
internal import MusterKit

/// One session of a game, solo or shared.
public final class GamingContext: NSObject, Sendable {
  /// The context's token, never empty.
  public let identifier: String
  /// How many players are in it, the invited ones included.
  public let size: Int

  /// Makes a context and, as the SDK does, makes it the current one: on this device alone, until
  /// the player enters or leaves one.
  ///
  /// Returns nil for an empty identifier, and changes nothing then. A size below 0 becomes 0.
  public convenience init?(identifier: String, size: Int) {
    self.init(token: identifier, size: size)
    Self.current = self
  }

  init?(token: String, size: Int) {
    if token.isEmpty { return nil }
    identifier = token
    self.size = max(size, 0)
    super.init()
  }

  init(_ info: ContextInfo) {
    identifier = info.context.description
    size = Int(info.size)
    super.init()
  }

  /// The context that the player is in; nil until the player has entered one. It changes when other
  /// players enter and leave, and when the player leaves or signs out. A context that a deep link
  /// has named has the size 0 until it is loaded.
  ///
  /// After a start of the app it is the context of before, which this device has kept, until the
  /// server has said which one it is. What a game sets here holds on this device alone, until the
  /// player enters or leaves a context: to enter one, show a dialog.
  public static var current: GamingContext? {
    get { ContextState.shared.withLock { $0.current() } }
    set { ContextState.set(newValue) }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? GamingContext else { return false }
    return identifier == other.identifier && size == other.size
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(identifier)
    hasher.combine(size)
    return hasher.finalize()
  }
}
