extension Simulation {
  func check(isAged: Bool = false) throws(Violation) {}
}
