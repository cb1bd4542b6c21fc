// What the listings have from SwiftUI. Views are not drawn, but what they show can be read, and
// what can be touched in them works: see `Drawing` and `UIHostingController`.

public import Foundation
public import GameKitCompat

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
  func draw(in drawing: inout Drawing)
}
extension View { public func draw(in drawing: inout Drawing) { body.draw(in: &drawing) } }

extension Never: View { public var body: Never { fatalError("nothing has no body") } }

/// A view that is not made of others.
public protocol Leaf: View where Body == Never {}
extension Leaf {
  public var body: Never { fatalError("a leaf has no body") }
  public func draw(in drawing: inout Drawing) {}
}

@resultBuilder public enum ViewBuilder {
  @MainActor public static func buildBlock<each Part: View>(_ parts: repeat each Part) -> Parts {
    var views: [any View] = []
    for part in repeat each parts { views.append(part) }
    return Parts(views: views)
  }
  @MainActor public static func buildBlock<Part: View>(_ part: Part) -> Part { part }
}

public struct Parts: Leaf {
  let views: [any View]
  public func draw(in drawing: inout Drawing) { for view in views { view.draw(in: &drawing) } }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("a leaf has no body") }
  public func draw(in drawing: inout Drawing) { self?.draw(in: &drawing) }
}

/// A view with something added to it.
struct Modified<Content: View>: Leaf {
  let content: Content
  let add: @MainActor (inout Drawing) -> Void
  func draw(in drawing: inout Drawing) {
    content.draw(in: &drawing)
    add(&drawing)
  }
}

/// Views in a row, in a column or over one another: all of them are shown.
public protocol Stack: Leaf { var content: any View { get } }
extension Stack { public func draw(in drawing: inout Drawing) { content.draw(in: &drawing) } }

public struct ZStack: Stack {
  public let content: any View
  public init<Content: View>(@ViewBuilder _ content: () -> Content) { self.content = content() }
}
public struct VStack: Stack {
  public let content: any View
  public init<Content: View>(@ViewBuilder _ content: () -> Content) { self.content = content() }
}
public struct HStack: Stack {
  public let content: any View
  public init<Content: View>(@ViewBuilder _ content: () -> Content) { self.content = content() }
}

public struct ProgressView: Leaf { public init() {} }
public struct Spacer: Leaf { public init() {} }
public struct Capsule: Leaf { public init() {} }
public struct Image: Leaf { public init(systemName: String) {} }
public struct Text: Leaf {
  private let text: String
  public init(_ text: String) { self.text = text }
  public func draw(in drawing: inout Drawing) { drawing.texts.append(text) }
}
public struct Button: Leaf {
  private let title: String
  private let action: @MainActor () -> Void
  public init(_ title: String, action: @escaping @MainActor () -> Void) {
    (self.title, self.action) = (title, action)
  }
  public func draw(in drawing: inout Drawing) { drawing.buttons[title] = action }
}
public struct Link: Leaf {
  private let destination: URL
  private let label: any View
  public init<Label: View>(destination: URL, @ViewBuilder label: () -> Label) {
    (self.destination, self.label) = (destination, label())
  }
  public func draw(in drawing: inout Drawing) {
    var shown = Drawing()
    label.draw(in: &shown)
    for title in shown.texts { drawing.links[title] = destination }
  }
}

@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  typealias Context = UIViewControllerRepresentableContext<Self>
  func makeUIViewController(context: Context) -> UIViewControllerType
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}
extension UIViewControllerRepresentable {
  public var body: Never { fatalError("a leaf has no body") }
  public func draw(in drawing: inout Drawing) {
    let controller = makeUIViewController(context: Context())
    updateUIViewController(controller, context: Context())
    drawing.controllers.append(controller)
  }
}
public struct UIViewControllerRepresentableContext<Content> {}

public enum Font { case subheadline, title }
public enum Color { case blue }
public enum Edges { case horizontal }

extension View {
  public func font(_ font: Font) -> Self { self }
  public func foregroundColor(_ color: Color) -> Self { self }
  public func padding(_ edges: Edges) -> Self { self }
  public func padding(_ length: Double) -> Self { self }
  public func ignoresSafeArea() -> Self { self }
  public func overlay(_ view: some View) -> some View {
    Modified(content: self) { view.draw(in: &$0) }
  }
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    Modified(content: self) { drawing in
      drawing.sheets.append(Drawing.Sheet(isPresented: isPresented) { content() })
    }
  }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
    Modified(content: self) { $0.openers.append(action) }
  }
}
