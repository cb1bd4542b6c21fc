/// What the app can be opened with.
enum CounterLink: String, CaseIterable {
  case startLocalCounter, startOnlineCounter
}
