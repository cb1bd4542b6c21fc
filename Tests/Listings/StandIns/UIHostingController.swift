public import Foundation
public import GameKitCompat

/// What a view shows, as far as it can be read or touched without a screen.
@MainActor public struct Drawing {
  struct Sheet {
    let isPresented: Binding<Bool>
    let content: @MainActor () -> any View
  }

  public var texts: [String] = []
  public var buttons: [String: @MainActor () -> Void] = [:]
  /// Where links lead, by their labels.
  public var links: [String: URL] = [:]
  var sheets: [Sheet] = []
  var openers: [(URL) -> Void] = []
  var controllers: [UIViewController] = []
}

/// Shows a view, anew whenever something has changed that it is made of, and its sheet over it.
public final class UIHostingController<Content: View>: UIViewController {
  public private(set) var drawing = Drawing()
  private let rootView: Content
  private var waiting: [(isMet: @MainActor () -> Bool, resume: CheckedContinuation<Void, Never>)] =
    []

  public init(rootView: Content) {
    self.rootView = rootView
    super.init()
    ViewUpdates.update.append { [weak self] in self?.update() }
    update()
  }

  private func update() {
    drawing = Drawing()
    rootView.draw(in: &drawing)
    for sheet in drawing.sheets { show(sheet) }
    let met = waiting.filter { $0.isMet() }
    waiting.removeAll { $0.isMet() }
    for each in met { each.resume.resume() }
  }

  private func show(_ sheet: Drawing.Sheet) {
    guard sheet.isPresented.get() else {
      if presentedViewController != nil { super.dismiss(animated: true) }
      return
    }
    if presentedViewController != nil { return }
    var shown = Drawing()
    sheet.content().draw(in: &shown)
    for controller in shown.controllers { present(controller, animated: true) }
  }

  /// Takes the sheet away: the player has pulled it down, or what it shows is done.
  public override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    super.dismiss(animated: flag, completion: completion)
    for sheet in drawing.sheets { sheet.isPresented.set(false) }
  }

  // MARK: The player

  public func open(_ url: URL) { for open in drawing.openers { open(url) } }

  /// Presses a button; false where none of that title is on the screen.
  @discardableResult
  public func press(_ title: String) -> Bool {
    guard let action = drawing.buttons[title] else { return false }
    action()
    return true
  }

  /// Waits until what is on the screen, or behind it, is so.
  public func wait(until isMet: @escaping @MainActor () -> Bool) async {
    update()
    if isMet() { return }
    await withCheckedContinuation { waiting.append((isMet, $0)) }
  }
}
