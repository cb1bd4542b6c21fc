#if canImport(UIKit)
  @_exported public import UIKit
#else
  /// Stands for a screen of the game where there is no UIKit: what this library hands to the game
  /// to present, and presents itself. A game shows the screens of its own by overriding.
  @preconcurrency @MainActor
  open class UIViewController {
    /// Whether whoever presents the controller stays to be seen behind it.
    public var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// True while the controller disappears because it is dismissed.
    public private(set) var isBeingDismissed = false
    /// Always false: controllers have no parents here.
    public var isMovingFromParent: Bool { false }
    public var parent: UIViewController? { nil }
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?

    public init() {}

    /// The controller is on the screen now. What it asks the player begins here.
    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    /// Shows another controller over this one, which shows one at a time. This one disappears
    /// behind a controller that takes the whole screen, and appears again after it.
    open func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)? = nil
    ) {
      if presentedViewController != nil { return }
      presentedViewController = viewControllerToPresent
      viewControllerToPresent.presentingViewController = self
      viewControllerToPresent.viewDidAppear(flag)
      if viewControllerToPresent.isCovering { viewDidDisappear(flag) }
      completion?()
    }

    /// Takes away what this controller shows, or this one where it shows nothing.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
      guard let shown = presentedViewController else {
        presentingViewController?.dismiss(animated: flag, completion: completion)
        return
      }
      let isCovered = shown.isCovering
      shown.leave(flag)
      if isCovered { viewDidAppear(flag) }
      completion?()
    }

    /// With all that is shown over it. What is covered has disappeared before.
    private func leave(_ flag: Bool) {
      let isCovered = presentedViewController?.isCovering == true
      presentedViewController?.leave(flag)
      presentingViewController?.presentedViewController = nil
      presentingViewController = nil
      isBeingDismissed = true
      if !isCovered { viewDidDisappear(flag) }
      isBeingDismissed = false
    }

    private var isCovering: Bool { modalPresentationStyle == .fullScreen }
  }

  /// UIKit's, as far as it makes a difference here.
  public enum UIModalPresentationStyle: Int, Sendable {
    case automatic = -2
    case fullScreen = 0
  }
#endif

extension UIViewController {
  /// Whether the controller disappears for good. One that is covered disappears too, for example
  /// behind what a presenter shows.
  var isTakenAway: Bool {
    isBeingDismissed || isMovingFromParent || parent?.isTakenAway == true
  }
}
