internal import MusterKit

/// What a request asks its recipients to do.
public enum GameRequestActionType: UInt, CaseIterable, Sendable {
  case none, send, askFor, turn, invite

  var term: ActionType { ActionType(rawValue: UInt8(rawValue)) }
}

/// Which friends the selector shows.
public enum GameRequestFilter: UInt, CaseIterable, Sendable {
  case none, appUsers, appNonUsers, everybody

  var term: RequestFilter { RequestFilter(rawValue: UInt8(rawValue)) }
}

/// The names of actions and filters among Facebook's parameters.
public enum GameRequestURLProvider {
  /// Returns nil for `none`.
  public static func actionTypeName(for actionType: GameRequestActionType) -> String? {
    switch actionType {
    case .none: nil
    case .send: "send"
    case .askFor: "askfor"
    case .turn: "turn"
    case .invite: "invite"
    }
  }

  /// Returns nil for `none`.
  public static func filtersName(for filters: GameRequestFilter) -> String? {
    switch filters {
    case .none: nil
    case .appUsers: "app_users"
    case .appNonUsers: "app_non_users"
    case .everybody: "everybody"
    }
  }
}

/// How content is shared with another app. A request is sent to a server, so none makes a
/// difference.
public struct ShareBridgeOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let photoAsset = Self(rawValue: 1 << 0)
  public static let photoImageURL = Self(rawValue: 1 << 1)
  public static let videoAsset = Self(rawValue: 1 << 2)
  public static let videoData = Self(rawValue: 1 << 3)
  public static let webHashtag = Self(rawValue: 1 << 4)
}

/// Content that can say what is wrong with it before anybody is asked.
public protocol SharingValidatable {
  func validate(options: ShareBridgeOptions) throws
}
