public import Foundation

/// Takes from a game's application delegate what the SDK takes, and needs only the links.
///
/// The parameters that are UIKit's may be of any type, so that the game's calls stay as they are.
@preconcurrency @MainActor
public final class ApplicationDelegate {
  public static let shared = ApplicationDelegate()
  private init() {}

  /// Takes a link; returns whether it counts.
  @discardableResult
  public func application<Application, Key: Hashable>(
    _ application: Application, open url: URL, options: [Key: Any]
  ) -> Bool {
    GamingServices.open(url)
  }

  /// Takes a link; returns whether it counts.
  @discardableResult
  public func application<Application>(
    _ application: Application, open url: URL, sourceApplication: String?, annotation: Any?
  ) -> Bool {
    GamingServices.open(url)
  }

  /// Nothing needs to be done at launch: the game configures `GamingServices` itself.
  @discardableResult
  public func application<Application, Key: Hashable>(
    _ application: Application, didFinishLaunchingWithOptions launchOptions: [Key: Any]?
  ) -> Bool {
    true
  }
}
