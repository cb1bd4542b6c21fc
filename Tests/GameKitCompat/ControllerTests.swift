import Testing

@testable import GameKitCompat

@MainActor
@Suite("Controllers where there is no UIKit")
struct ControllerTests {
  class Screen: UIViewController {
    var seen: [String] = []
    override func viewDidAppear(_ animated: Bool) { seen.append("appeared \(animated)") }
    override func viewDidDisappear(_ animated: Bool) { seen.append("disappeared \(animated)") }
  }

  @Test("3.1 A controller that is presented appears, and disappears when it is dismissed")
  func presents() {
    let (root, screen, other) = (Screen(), Screen(), Screen())
    var completions = 0
    root.present(screen, animated: true) { completions += 1 }
    #expect(root.presentedViewController === screen && screen.presentingViewController === root)
    root.present(other, animated: true)
    #expect(other.seen.isEmpty)
    screen.dismiss(animated: false) { completions += 1 }
    #expect(screen.seen == ["appeared true", "disappeared false"] && completions == 2)
    #expect(root.presentedViewController == nil && screen.presentingViewController == nil)
  }

  @Test("3.1 A controller behind one that takes the whole screen disappears, and is not dismissed")
  func covers() {
    final class Witness: Screen {
      override func viewDidDisappear(_ animated: Bool) {
        seen.append(isBeingDismissed ? "dismissed" : "covered")
      }
    }
    let (root, screen, cover) = (UIViewController(), Witness(), Witness())
    root.present(screen, animated: true)
    cover.modalPresentationStyle = .fullScreen
    screen.present(cover, animated: true)
    screen.dismiss(animated: true)
    #expect(screen.seen == ["appeared true", "covered", "appeared true"])
    #expect(cover.seen == ["appeared true", "dismissed"])
    screen.present(cover, animated: true)
    root.dismiss(animated: true)
    #expect(screen.seen.count == 4 && cover.seen.count == 4)
    #expect(screen.presentedViewController == nil && cover.presentingViewController == nil)
  }
}
