import Operations

/// What the players of a group may do by their roles.
enum GroupRoles {
  /// Whoever decides who comes in and who goes.
  static func mayModerate(_ role: ContextRole) -> Bool { role == .owner || role == .moderator }

  /// Where players come by request, those who answer requests invite; else everybody does.
  static func mayInvite(_ role: ContextRole, under policy: JoinPolicy) -> Bool {
    policy != .byRequest || mayModerate(role)
  }

  static func mayRemove(_ other: ContextRole, by role: ContextRole) -> Bool {
    switch role {
    case .owner: other != .owner
    case .moderator: other == .participant
    default: false
    }
  }
}
