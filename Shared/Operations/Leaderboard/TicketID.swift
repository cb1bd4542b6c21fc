public import Wire

public enum TicketKind: IdentifierKind { public static let name = "TicketID" }

public typealias TicketID = Identifier<TicketKind>
