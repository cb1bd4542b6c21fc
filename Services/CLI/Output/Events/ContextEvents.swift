import MusterKit

extension ContextInvitation: Told {
  func words(_ reading: Reading) -> String {
    let name = info.name.isEmpty ? "" : " \"\(info.name)\""
    return "\(reading.who(inviter)) invites you to the \(info.form) context\(name) \(info.context)"
  }
}

extension ContextPlayerChanged: Told {
  func words(_ reading: Reading) -> String {
    let change =
      switch state {
      case .invited: "invited to"
      case .active where role == .participant: "now in"
      case .active: "now \(role) of"
      case .left: "no longer in"
      case .removed: "removed from"
      case .requested: "waiting to be let into"
      default: "\(state) in"
      }
    let whoIs = player == reading.reader ? "you are" : "\(reading.who(player)) is"
    return "\(whoIs) \(change) the context \(context)"
  }
}

extension ContextJoinRequested: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(player)) asks to be let into the context \(context)"
  }
}

extension ContextRequestAnswered: Told {
  func words(_ reading: Reading) -> String {
    isAccepted
      ? "you are let into the context \(context): enter it by `muster context switch`"
      : "you are not let into the context \(context)"
  }
}

extension ContextSettingsChanged: Told {
  func words(_ reading: Reading) -> String {
    let name = name.isEmpty ? "" : "\"\(name)\", "
    return "the context \(context) has other settings: \(name)\(sizeMax) players at most, \(policy)"
  }
}

extension ContextClosed: Told {
  func words(_ reading: Reading) -> String { "the context \(context) is closed" }
}

extension ContextLeft: Told {
  func words(_ reading: Reading) -> String { "you have left the context \(context)" }
}
