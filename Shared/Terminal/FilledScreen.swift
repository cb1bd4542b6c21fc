/// Lines that fill a screen of a terminal.
package enum FilledScreen {
  /// Returns as many lines as the screen has: these, or as many of them as there is room for, empty
  /// ones below, and at the bottom what the keys do.
  package static func lines(
    _ lines: [String], help: String, width: Int, height: Int, paint: Paint
  ) -> [String] {
    let room = room(of: height)
    let shown = lines.prefix(room)
    return shown + Array(repeating: "", count: room - shown.count)
      + [paint(.dim, Table.shorten(help, to: width))]
  }

  /// The lines above the bottom one.
  package static func room(of height: Int) -> Int { max(1, height - 1) }
}
