// What the listings have from SwiftUI, Combine and WidgetKit: as much as they compile against.
// Nothing is drawn.

public import Foundation
public import GameKitCompat

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}

@dynamicMemberLookup @propertyWrapper public struct ObservedObject<Object: ObservableObject> {
  public var wrappedValue: Object
  public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
  public var projectedValue: Self { self }
  public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Object, Value>)
    -> Binding<Value>
  {
    Binding(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
  }
}

public struct Binding<Value> {
  public var get: () -> Value
  public var set: (Value) -> Void
}

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("nothing has no body") } }

/// A view without parts.
public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { fatalError("a leaf has no body") } }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Part: View>(_ parts: repeat each Part) -> Parts {
    Parts()
  }
  public static func buildBlock<Part: View>(_ part: Part) -> Part { part }
}

public struct Parts: Leaf {}
extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("a leaf has no body") }
}

@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  typealias Context = UIViewControllerRepresentableContext<Self>
  func makeUIViewController(context: Context) -> UIViewControllerType
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
}
extension UIViewControllerRepresentable {
  public var body: Never { fatalError("a leaf has no body") }
}
public struct UIViewControllerRepresentableContext<Content> {}

public struct ProgressView: Leaf { public init() {} }
public struct Spacer: Leaf { public init() {} }
public struct Capsule: Leaf { public init() {} }
public struct Text: Leaf { public init(_ text: String) {} }
public struct Image: Leaf { public init(systemName: String) {} }
public struct ZStack: Leaf { public init<Content: View>(@ViewBuilder _ content: () -> Content) {} }
public struct VStack: Leaf { public init<Content: View>(@ViewBuilder _ content: () -> Content) {} }
public struct HStack: Leaf { public init<Content: View>(@ViewBuilder _ content: () -> Content) {} }
public struct Link: Leaf {
  public init<Label: View>(destination: URL, @ViewBuilder label: () -> Label) {}
}

public enum Font { case subheadline, title }
public enum Color { case blue }
public enum Edges { case horizontal }

extension View {
  public func font(_ font: Font) -> Self { self }
  public func foregroundColor(_ color: Color) -> Self { self }
  public func padding(_ edges: Edges) -> Self { self }
  public func padding(_ length: Double) -> Self { self }
  public func overlay(_ view: some View) -> Self { self }
  public func ignoresSafeArea() -> Self { self }
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: () -> Content
  ) -> Self { self }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> Self { self }
}
