public import Wire

public enum ChallengeKind: IdentifierKind { public static let name = "ChallengeID" }

public typealias ChallengeID = Identifier<ChallengeKind>
