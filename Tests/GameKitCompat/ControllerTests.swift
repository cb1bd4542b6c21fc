import Testing

@testable import GameKitCompat

@MainActor
@Suite("Controllers where there is no UIKit")
struct ControllerTests {
  final class Screen: UIViewController {
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
}
