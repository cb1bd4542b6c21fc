/// The reports of achievements that the server has not answered yet.
///
/// Games report an achievement and challenge others to it without waiting in between, as GameKit's
/// guide does. The two calls are about different players' keys, so the server may take the second
/// one first, and then refuses it.
@MainActor
final class OngoingReports {
  private typealias Waiter = (reports: Set<Int>, resume: CheckedContinuation<Void, Never>)

  static let shared = OngoingReports()

  private var count = 0
  private var ongoing: Set<Int> = []
  private var waiters: [Waiter] = []

  /// Runs a report.
  func run(_ report: () async throws(GKError) -> Void) async throws(GKError) {
    count += 1
    let number = count
    ongoing.insert(number)
    defer { end(number) }
    try await report()
  }

  /// Waits until the reports that are under way now have ended.
  func ended() async {
    if ongoing.isEmpty { return }
    await withCheckedContinuation { waiters.append((ongoing, $0)) }
  }

  private func end(_ number: Int) {
    ongoing.remove(number)
    for index in waiters.indices { waiters[index].reports.remove(number) }
    for waiter in waiters where waiter.reports.isEmpty { waiter.resume.resume() }
    waiters.removeAll { $0.reports.isEmpty }
  }
}
