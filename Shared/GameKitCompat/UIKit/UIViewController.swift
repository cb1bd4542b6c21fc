#if canImport(UIKit)
  @_exported public import UIKit
#else
  /// Stands for a screen of the game where there is no UIKit: what this library hands to the game
  /// to present, and presents itself. A game shows the screens of its own by overriding.
  @preconcurrency @MainActor
  open class UIViewController {
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?

    public init() {}

    /// The controller is on the screen now. What it asks the player begins here.
    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    /// Shows another controller over this one, which shows one at a time.
    open func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)? = nil
    ) {
      if presentedViewController != nil { return }
      presentedViewController = viewControllerToPresent
      viewControllerToPresent.presentingViewController = self
      viewControllerToPresent.viewDidAppear(flag)
      completion?()
    }

    /// Takes away what this controller shows, or this one where it shows nothing.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
      guard let shown = presentedViewController else {
        presentingViewController?.dismiss(animated: flag, completion: completion)
        return
      }
      presentedViewController = nil
      shown.presentingViewController = nil
      shown.viewDidDisappear(flag)
      completion?()
    }
  }
#endif
