public import Wire

public enum MatchTicketKind: IdentifierKind { public static let name = "MatchTicketID" }

/// Names a ticket of matchmaking.
public typealias MatchTicketID = Identifier<MatchTicketKind>

public enum MatchInviteKind: IdentifierKind { public static let name = "MatchInviteID" }

/// Names an invitation to a match.
public typealias MatchInviteID = Identifier<MatchInviteKind>
