import Foundation
import GameKitCompat
import StandIns

//#listing 002 1 open

  // The article shows these members in its text only.
  @Published var counter = 0
  @Published var shouldShowCounter = false
  let hapticGenerator = UIImpactFeedbackGenerator()

  func listenForInvites() {
    //#listing 002 8
  }

  //#listing 002 5
}

//#listing 002 2

//#listing 002 4

//#listing 002 6

extension GameCenterManager {
  //#listing 002 7
}

//#listing 002 9

//#listing 002 10

let logger = Logger()

struct Provider {
  struct Entry {}
}

struct CounterView: View {
  @ObservedObject var gameCenterManager: GameCenterManager
  @State var showingSettingsSheet = false

  var body: some View {
    Text("CollabCounter")
      //#listing 002 3
      //#listing 002 11
      //#listing 002 12
  }
}
