import StandIns

@MainActor func tellOfCurrentContext() {
  //#listing 000 1
}

@MainActor func contentOfChooser() -> ChooseContextContent {
  //#listing 000 2
  return content
}

enum Choosing {
  //#listing 000 3
}

enum Creating {
  //#listing 000 4
}

enum Switching {
  //#listing 000 5
}
