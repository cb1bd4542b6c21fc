import Dialogs
import Terminal

// What a dialog consists of: lists, lines and a wait, one after the other on one screen.

extension TerminalScreen {
  /// Shows a list until the player has chosen. Rows are read while keys come; those of a search
  /// that is over are dropped.
  func choose(
    _ choices: Choices, _ source: @escaping @MainActor (String) -> DialogPages<Choices.Row>
  ) async -> [String]? {
    var choices = choices
    var pages = source("")
    var reading: Task<Void, Never>?
    defer { reading?.cancel() }
    reading = read(pages, for: choices)
    draw(&choices)
    for await event in events {
      switch event {
      case .key(let key):
        switch choices.take(key, lines: choices.rowLines(of: size.height)) {
        case .chosen(let ids): return ids
        case .closed: return nil
        case .search(let text):
          reading?.cancel()
          reading = nil
          pages = source(text)
        case nil: break
        }
      case .rows(choices.search, let result):
        reading = nil
        switch result {
        case .success(let rows): choices.add(rows)
        case .failure(let error): choices.failed("\(error)")
        }
      case .rows, .search, .changed: break
      }
      if reading == nil { reading = read(pages, for: choices) }
      draw(&choices)
    }
    return nil
  }

  /// Reads the next rows, where the list wants more.
  private func read(_ pages: DialogPages<Choices.Row>, for choices: Choices) -> Task<Void, Never>? {
    guard choices.wantsMore(lines: size.height) else { return nil }
    let search = choices.search
    return Task {
      do {
        let rows = try await pages.next()
        if !Task.isCancelled { post(.rows(of: search, .success(rows))) }
      } catch {
        if !Task.isCancelled { post(.rows(of: search, .failure(error))) }
      }
    }
  }

  private func draw(_ choices: inout Choices) {
    let size = size
    show(choices.screen(width: size.width, height: size.height, paint: paint))
  }

  /// Shows a line until the player has entered it; nil when the player closes it.
  func edit(_ line: TextLine) async -> String? {
    var line = line
    func draw() { show(line.screen(width: size.width, height: size.height, paint: paint)) }
    draw()
    for await case .key(let key) in events {
      switch line.take(key) {
      case .entered(let text): return text
      case .closed: return nil
      case nil: draw()
      }
    }
    return nil
  }

  /// Shows how a search goes until the player closes it.
  func watch(_ search: MatchSearch) async {
    let listening = Task { for await state in search.states { post(.search(state)) } }
    defer { listening.cancel() }
    var state = MatchSearch.State()
    show(state.screen(width: size.width, height: size.height, paint: paint))
    for await event in events {
      switch event {
      case .key(.escape), .key(.interrupt): return
      case .search(let new): state = new
      case .key, .rows, .changed: break
      }
      show(state.screen(width: size.width, height: size.height, paint: paint))
    }
  }
}

extension MatchSearch.State {
  func screen(width: Int, height: Int, paint: Paint) -> [String] {
    var lines = [paint(.bold, Table.shorten("Looking for players …", to: width))]
    if let usualWait {
      let wait = "Half of those like you waited no longer than \(usualWait.components.seconds) s."
      lines.append(Table.shorten(wait, to: width))
    }
    let ordered = answers.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
    for (_, answer) in ordered {
      lines.append(Table.shorten("\(answer.name): \(answer.answer)".printable, to: width))
    }
    return FilledScreen.lines(
      lines, help: "Esc cancel", width: width, height: height, paint: paint)
  }
}
