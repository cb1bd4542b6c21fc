import GameKitCompat
import MusterKit
import PlayKit
import StandIns

/// One of the two players of the counter app, which is the article's. Each is a process of its own,
/// and they meet in their matches alone: what one does next follows from what the other has done.
///
/// Ada counts to 4, Ben back to 3, and Ada leaves. Then Ada asks Ben to be friends and invites him,
/// and Ben leaves.
@main @MainActor
struct CounterPlay {
  static func main() async {
    await Play.run { play in
      let isAda = CommandLine.arguments.last == "Ada"
      let player = try await play.player(isAda ? "Ada" : "Ben", isSignedIn: false)
      let presenter = ScriptedPresenter()
      GameKit.presenter = presenter
      if isAda {
        try await AdaPlay(CounterScreen(play: play, player: player), presenter).run()
      } else {
        try await BenPlay(CounterScreen(play: play, player: player), presenter).run()
      }
      try await player.client.signOut()
    }
  }
}

/// The app's screen, and its widget.
@MainActor
final class CounterScreen {
  let play: Play
  let player: Player
  /// The article puts the registration at the end of its `init`, after showing that.
  private(set) lazy var manager = {
    let manager = GameCenterManager()
    manager.listenForInvites()
    return manager
  }()
  private(set) lazy var app = UIHostingController(
    rootView: CounterView(gameCenterManager: manager))
  private let widget = UIHostingController(
    rootView: CollabCounterWidgetEntryView(entry: Provider.Entry()))

  init(play: Play, player: Player) { (self.play, self.player) = (play, player) }

  func tapWidget(_ title: String) throws {
    guard let url = widget.drawing.links[title] else {
      throw PlayFailure("the widget shows no \(title)")
    }
    app.open(url)
  }

  /// Waits until the label shows this number.
  func count(_ number: Int) async {
    await app.wait { [self] in app.drawing.texts == ["\(number)"] }
  }

  func press(_ title: String, times: Int = 1) throws {
    for _ in 0..<times { try play.expect(app.press(title), "there is a button \(title)") }
  }

  func matchEnds() async {
    await app.wait { [self] in app.drawing.texts == ["CollabCounter"] && manager.match == nil }
  }
}

@MainActor
struct AdaPlay {
  let screen: CounterScreen
  let presenter: ScriptedPresenter
  var play: Play { screen.play }

  init(_ screen: CounterScreen, _ presenter: ScriptedPresenter) {
    (self.screen, self.presenter) = (screen, presenter)
  }

  func run() async throws {
    GameKit.configure(client: screen.player.client, credential: screen.player.credential)
    try await openBySlowLink()
    // Two dialogs that find no match.
    try screen.press("Online Counter")
    _ = try await play.output.next("Matchmaking failed!")
    screen.app.dismiss(animated: true)
    presenter.matchArrangement = { _ in .anybody }
    try screen.tapWidget("Online Counter")
    await screen.count(0)
    play.ran("002", "4", "asked for a match from a button, and from the widget")
    try screen.press("+", times: 4)
    await screen.count(3)
    let ben = try await friend()
    try screen.press("Leave")
    await screen.matchEnds()
    presenter.matchArrangement = { _ in .friends([ben.description], message: "Again!") }
    try screen.press("Online Counter")
    await screen.count(3)
    try screen.press("-")
    await screen.matchEnds()
    var request = SendRequest()
    (request.message, request.recipients) = ("That was all.", [ben.description])
    _ = try await screen.player.client.call(request)
  }

  /// Taps the widget before there is a player: the article waits for 0.75 seconds and tries then.
  private func openBySlowLink() async throws {
    _ = screen.manager
    try screen.tapWidget("Online Counter")
    play.ran("002", "10", "drew the widget, whose link was tapped")
    await screen.app.wait { screen.manager.isAuthenticated }
    _ = try await play.output.next("Player is authenticated!")
    play.ran("002", "1", "was told that the player is authenticated")
    // Comes after what the listing has put on the same queue.
    await withCheckedContinuation { after in
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.75) { after.resume() }
    }
    if screen.manager.viewController == nil { try screen.press("Online Counter") }
    _ = try await play.output.next("User cancelled matchmaking")
    await screen.app.wait { screen.app.presentedViewController == nil }
    play.ran("002", "12", "opened the matchmaker by a link, after the article's time")
    presenter.matchArrangement = { _ in throw PlayFailure("the dialog is broken") }
  }

  private func friend() async throws -> PlayerID {
    guard let other = screen.manager.match?.players.first, let ben = PlayerID(other.gamePlayerID)
    else { throw PlayFailure("nobody is in the match") }
    try await screen.player.client.inviteFriends([ben])
    _ = try await screen.player.event(FriendAccepted.self)
    return ben
  }
}

@MainActor
struct BenPlay {
  /// Signs the player in, as Game Center's own screen does.
  private final class SignIn: UIViewController {
    let player: Player
    init(_ player: Player) {
      self.player = player
      super.init()
    }
    override func viewDidAppear(_ animated: Bool) {
      Task {
        try await player.client.signIn(player.credential)
        presentingViewController?.dismiss(animated: true)
      }
    }
  }

  let screen: CounterScreen
  let presenter: ScriptedPresenter
  var play: Play { screen.play }

  init(_ screen: CounterScreen, _ presenter: ScriptedPresenter) {
    (self.screen, self.presenter) = (screen, presenter)
  }

  func run() async throws {
    presenter.matchArrangement = { _ in .anybody }
    GameKit.showInviteBanner = { _ in true }
    GameKit.configure(client: screen.player.client, signInScreen: SignIn(screen.player))
    await screen.app.wait {
      screen.manager.isAuthenticated && !screen.manager.shouldShowViewController
    }
    _ = try await play.output.next("Presenting auth controller")
    play.ran("002", "2", "made the view of a controller")
    play.ran("002", "3", "showed the sign-in as a sheet, and took it away")
    try screen.tapWidget("Local Counter")
    await screen.count(0)
    try screen.press("Leave")
    try screen.press("Online Counter")
    await screen.count(0)
    play.ran("002", "5", "found the match; both were told of cancelling and failing before")
    await screen.count(4)
    play.ran("002", "6", "got the other one's 4, and sent 3")
    try screen.press("-")
    try await screen.player.acceptFriend()
    await screen.matchEnds()
    play.ran("002", "7", "ended the match when the other one had left")
    await screen.app.wait { screen.manager.match != nil }
    play.ran("002", "8", "heard of the invitation, as a listener")
    play.ran("002", "9", "found the match of the invitation that was accepted")
    await screen.count(2)
    try screen.press("Leave")
    await screen.matchEnds()
    // Both of the article's handlers hear of each link; the first of them does nothing at all.
    try screen.tapWidget("Local Counter")
    await screen.count(2)
    // The app stays until the other one has heard that the match is over.
    _ = try await screen.player.event(RequestReceived.self)
    play.ran("002", "11", "heard of a link, beside the one that acts on it")
  }
}
