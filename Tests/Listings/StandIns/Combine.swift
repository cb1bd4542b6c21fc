// What the listings have from Combine, and the property wrappers of SwiftUI.

import Dispatch

public protocol ObservableObject: AnyObject {}

@propertyWrapper public struct Published<Value> {
  public var wrappedValue: Value { didSet { ViewUpdates.note() } }
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
    nonmutating set {
      box.value = newValue
      ViewUpdates.note()
    }
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

/// Has views shown anew when a value has changed that they are made of: after all that the code
/// which changes it does in the same turn, as SwiftUI does.
enum ViewUpdates {
  @MainActor static var update: [@MainActor () -> Void] = []

  static func note() {
    DispatchQueue.main.async { MainActor.assumeIsolated { for each in update { each() } } }
  }
}
