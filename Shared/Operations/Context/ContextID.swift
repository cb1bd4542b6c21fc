public import Wire

public enum ContextKind: IdentifierKind { public static let name = "ContextID" }

public typealias ContextID = Identifier<ContextKind>
