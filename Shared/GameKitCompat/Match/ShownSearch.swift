internal import Dialogs
internal import MusterKit

/// What is known of a search, for whoever shows it.
@MainActor
final class ShownSearch {
  let states: AsyncStream<MatchSearch.State>
  private let news: AsyncStream<MatchSearch.State>.Continuation
  private let names: [PlayerID: String]
  private var state = MatchSearch.State()

  init(_ request: GKMatchRequest) {
    (states, news) = AsyncStream.makeStream(
      of: MatchSearch.State.self, bufferingPolicy: .bufferingNewest(1))
    let recipients = request.recipients ?? []
    names = Dictionary(
      recipients.map { ($0.identifier, $0.displayName) }, uniquingKeysWith: { first, _ in first })
    news.yield(state)
  }

  var observer: SearchObserver {
    SearchObserver(
      answered: { player, response in
        let name = self.names[player] ?? ""
        self.state.answers[player.description] = MatchSearch.State.Answer(
          name: name.isEmpty ? player.description : name, answer: "\(response)")
        self.news.yield(self.state)
      },
      waits: { time in
        self.state.usualWait = time
        self.news.yield(self.state)
      })
  }

  func end() { news.finish() }
}
