import StandIns

@MainActor func contentOfRequest() -> GameRequestContent {
  //#listing 001 1
  return content
}

class GameViewController: UIViewController {
  func showInOneStep(content: GameRequestContent) {
    //#listing 001 2
  }

  func showWithMoreControl(content: GameRequestContent) {
    //#listing 001 3
  }
}

//#listing 001 4
