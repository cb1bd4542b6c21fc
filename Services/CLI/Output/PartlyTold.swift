import MusterKit

/// A record of which some fields mean nothing in the state that it is in. People are not shown
/// these; its JSON is whole.
protocol PartlyTold: Message {
  var idleFields: Set<String> { get }
}

extension PartlyTold {
  var toldTree: Tree {
    guard case .object(let members) = tree else { return tree }
    return .object(members.filter { !idleFields.contains($0.name) })
  }
}

extension TicketInfo: PartlyTold {
  var idleFields: Set<String> {
    var idle: Set<String> = []
    if state != .expired { idle.insert("hindrance") }
    if state != .cancelled { idle.insert("reason") }
    if state != .matched { idle.insert("context") }
    return idle
  }
}
