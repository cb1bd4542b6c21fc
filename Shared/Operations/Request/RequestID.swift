public import Wire

public enum RequestKind: IdentifierKind { public static let name = "RequestID" }

public typealias RequestID = Identifier<RequestKind>
