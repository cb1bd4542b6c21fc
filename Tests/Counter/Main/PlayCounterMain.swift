import CounterPlay
import Foundation
import PseudoTerminal

/// `play-counter PROGRAM [option of the app...]`: has two people count together, each on a
/// terminal, and prints what they see.
@main
enum PlayCounterMain {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let program = arguments.first else { return print("usage: play-counter PROGRAM ...") }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-counter-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try CounterPlay(
      program: URL(fileURLWithPath: program), server: Array(arguments.dropFirst()),
      folder: folder, size: (48, 8)
    ) { what, picture in
      print("  \(what):")
      for line in picture.lines { print("    | \(line)") }
    }.run()
  }
}
