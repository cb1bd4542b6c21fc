import GameKitCompat

/// Stands for UIKit's: from one screen to another.
@MainActor
final class UIStoryboardSegue {
  let identifier: String?
  let destination: UIViewController

  init(identifier: String?, destination: UIViewController) {
    (self.identifier, self.destination) = (identifier, destination)
  }
}

/// What listings use of UIKit's controllers besides what GameKitCompat has of them.
class StoryboardController: UIViewController {
  /// The screens of the game by the names of the ways to them.
  var storyboard: [String: @MainActor () -> UIViewController] = [:]

  func prepare(for segue: UIStoryboardSegue, sender: Any?) {}

  func performSegue(withIdentifier identifier: String, sender: Any?) {
    guard let make = storyboard[identifier] else { return }
    let segue = UIStoryboardSegue(identifier: identifier, destination: make())
    prepare(for: segue, sender: sender)
    present(segue.destination, animated: true)
  }
}
