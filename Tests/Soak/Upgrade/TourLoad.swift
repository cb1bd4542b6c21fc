import Foundation
import Locking
import Stack

/// The command `muster` of one build plays its tour, through all that the deployment offers. A tour
/// fails at the first call that is lost or made twice.
final class TourLoad: Sendable {
  private let programs: Programs
  private let environment: [String: String]
  private let state = Locked((tours: 0, end: [Substring]()))

  init(_ stack: Stack, port: UInt16, _ programs: Programs) {
    self.programs = programs
    environment = [
      "MUSTER_GATEWAY": "127.0.0.1:\(port)", "MUSTER_AUTHORITY": stack.authority,
      "MUSTER_GAME": Stack.game, "MUSTER_OPERATOR_SECRET": Stack.operatorSecret,
    ]
  }

  /// Tours that were played to their end.
  var tours: Int { state.withLock { $0.tours } }

  /// Plays one tour, and more until the load is over; returns what was wrong.
  func play(while isOn: @Sendable () -> Bool) async throws -> String? {
    repeat {
      if let wrong = try await play() { return wrong }
    } while isOn()
    return nil
  }

  func play() async throws -> String? {
    let tour = try ServerProcess(
      name: "muster", executable: programs.url("muster"), arguments: ["tour"],
      environment: environment)
    guard await tour.ended() == 0 else {
      return "a tour by \(programs.folder.path): \(tour.errors)\(tour.output)"
    }
    // Behind the steps is what came of them, the same in each tour of a build.
    let end = tour.output.split(separator: "\n").filter { !$0.contains("✓") }
    let first = state.withLock { state in
      state.tours += 1
      if state.end.isEmpty { state.end = end }
      return state.end
    }
    return end == first ? nil : "a tour ended with \(end), and the first one with \(first)"
  }
}
