extension GKError {
  /// GameKit's kinds of errors, with GameKit's numbers. Many are of what Muster does not do: they
  /// are there so that games that name them compile.
  public enum Code: Int, Sendable, CaseIterable {
    case unknown = 1
    case cancelled = 2
    case communicationsFailure = 3
    case userDenied = 4
    case invalidCredentials = 5
    case notAuthenticated = 6
    case authenticationInProgress = 7
    case invalidPlayer = 8
    case scoreNotSet = 9
    case parentalControlsBlocked = 10
    case playerStatusExceedsMaximumLength = 11
    case playerStatusInvalid = 12
    case matchRequestInvalid = 13
    case underage = 14
    case gameUnrecognized = 15
    case notSupported = 16
    case invalidParameter = 17
    case unexpectedConnection = 18
    case challengeInvalid = 19
    case turnBasedMatchDataTooLarge = 20
    case turnBasedTooManySessions = 21
    case turnBasedInvalidParticipant = 22
    case turnBasedInvalidTurn = 23
    case turnBasedInvalidState = 24
    case invitationsDisabled = 25
    case playerPhotoFailure = 26
    case ubiquityContainerUnavailable = 27
    case matchNotConnected = 28
    case gameSessionRequestInvalid = 29
    case restrictedToAutomatch = 30
    case apiNotAvailable = 31
    case notAuthorized = 32
    case connectionTimeout = 33
    case apiObsolete = 34
    case iCloudUnavailable = 35
    case lockdownMode = 36
    case appUnlisted = 37
    case debugMode = 38
    case friendListDescriptionMissing = 100
    case friendListRestricted = 101
    case friendListDenied = 102
    case friendRequestNotAvailable = 103
  }
}

extension GKError.Code {
  /// `catch GKError.cancelled`.
  public static func ~= (code: Self, error: any Error) -> Bool {
    (error as? GKError)?.code == code
  }
}

/// `error.code == GKError.cancelled`, as games may write it.
extension GKError {
  public static var unknown: Code { .unknown }
  public static var cancelled: Code { .cancelled }
  public static var communicationsFailure: Code { .communicationsFailure }
  public static var userDenied: Code { .userDenied }
  public static var invalidCredentials: Code { .invalidCredentials }
  public static var notAuthenticated: Code { .notAuthenticated }
  public static var authenticationInProgress: Code { .authenticationInProgress }
  public static var invalidPlayer: Code { .invalidPlayer }
  public static var scoreNotSet: Code { .scoreNotSet }
  public static var parentalControlsBlocked: Code { .parentalControlsBlocked }
  public static var playerStatusExceedsMaximumLength: Code { .playerStatusExceedsMaximumLength }
  public static var playerStatusInvalid: Code { .playerStatusInvalid }
  public static var matchRequestInvalid: Code { .matchRequestInvalid }
  public static var underage: Code { .underage }
  public static var gameUnrecognized: Code { .gameUnrecognized }
  public static var notSupported: Code { .notSupported }
  public static var invalidParameter: Code { .invalidParameter }
  public static var unexpectedConnection: Code { .unexpectedConnection }
  public static var challengeInvalid: Code { .challengeInvalid }
  public static var turnBasedMatchDataTooLarge: Code { .turnBasedMatchDataTooLarge }
  public static var turnBasedTooManySessions: Code { .turnBasedTooManySessions }
  public static var turnBasedInvalidParticipant: Code { .turnBasedInvalidParticipant }
  public static var turnBasedInvalidTurn: Code { .turnBasedInvalidTurn }
  public static var turnBasedInvalidState: Code { .turnBasedInvalidState }
  public static var invitationsDisabled: Code { .invitationsDisabled }
  public static var playerPhotoFailure: Code { .playerPhotoFailure }
  public static var ubiquityContainerUnavailable: Code { .ubiquityContainerUnavailable }
  public static var matchNotConnected: Code { .matchNotConnected }
  public static var gameSessionRequestInvalid: Code { .gameSessionRequestInvalid }
  public static var restrictedToAutomatch: Code { .restrictedToAutomatch }
  public static var apiNotAvailable: Code { .apiNotAvailable }
  public static var notAuthorized: Code { .notAuthorized }
  public static var connectionTimeout: Code { .connectionTimeout }
  public static var apiObsolete: Code { .apiObsolete }
  public static var iCloudUnavailable: Code { .iCloudUnavailable }
  public static var lockdownMode: Code { .lockdownMode }
  public static var appUnlisted: Code { .appUnlisted }
  public static var debugMode: Code { .debugMode }
  public static var friendListDescriptionMissing: Code { .friendListDescriptionMissing }
  public static var friendListRestricted: Code { .friendListRestricted }
  public static var friendListDenied: Code { .friendListDenied }
  public static var friendRequestNotAvailable: Code { .friendRequestNotAvailable }
}
