import GameKitCompat
import Terminal
import TerminalDialogs

/// The app on the terminal: keys go to the manager, and what the manager says is drawn. While the
/// manager has a controller to show, the terminal is that one's.
@MainActor
final class CounterApp {
  private let paint: Paint
  private var screen: TerminalScreen?
  private lazy var question = InviteQuestion { [self] in changed() }
  /// It keeps this object: both live as long as the process, and GameKit may call either till then.
  private lazy var manager = GameCenterManager { [self] in changed() }
  /// Wakes who waits for the controller to be done with.
  private var (changes, change) = AsyncStream.makeStream(of: Void.self)

  init(paint: Paint) { self.paint = paint }

  /// Runs until the player quits, or the terminal is gone. Returns false where there was none.
  func run(_ link: CounterLink?) async -> Bool {
    GameKit.presenter = TerminalPresenter(isColoured: paint.isOn)
    GameKit.showInviteBanner = { [self] in await question.ask(about: $0) }
    if let link { manager.open(link) } else { _ = manager }
    // However it ends, the others in a match are not left waiting for this player.
    defer {
      manager.leave()
      question.answer(nil)
    }
    while true {
      guard let screen = await TerminalScreen.open(paint: paint) else { return false }
      self.screen = screen
      let isOver = await follow(screen)
      self.screen = nil
      screen.close()
      if isOver { return true }
      await present()
    }
  }

  /// Returns true when the player quits or the terminal is gone, and false when a controller is to
  /// be shown.
  private func follow(_ screen: TerminalScreen) async -> Bool {
    if manager.viewController != nil { return false }
    draw(on: screen)
    for await event in screen.events {
      if case .key(let key) = event, let action = shown.action(of: key), !take(action) {
        return true
      }
      if manager.viewController != nil { return false }
      draw(on: screen)
    }
    return true
  }

  /// Shows the manager's controller until it is done with.
  private func present() async {
    guard let controller = manager.viewController else { return }
    (changes, change) = AsyncStream.makeStream(of: Void.self)
    controller.viewDidAppear(true)
    for await _ in changes where manager.viewController !== controller { break }
    controller.viewDidDisappear(true)
  }

  private func changed() {
    screen?.post(.changed)
    change.yield()
  }

  private var shown: CounterScreen {
    if let invite = question.invite {
      return .invitation(from: invite.sender.displayName, message: invite.message ?? "")
    }
    if manager.shouldShowCounter {
      return .counter(value: manager.counter, others: manager.others, notice: manager.notice)
    }
    return .menu(notice: manager.notice)
  }

  private func draw(on screen: TerminalScreen) {
    let size = screen.size
    screen.show(shown.lines(width: size.width, height: size.height, paint: paint))
  }

  /// Returns false to quit.
  private func take(_ action: CounterScreen.Action) -> Bool {
    switch action {
    case .open(let link): manager.open(link)
    case .increment: manager.increment()
    case .decrement: manager.decrement()
    case .leave: manager.leave()
    case .answer(let isAccepted): question.answer(isAccepted)
    case .quit: return false
    }
    return true
  }
}
