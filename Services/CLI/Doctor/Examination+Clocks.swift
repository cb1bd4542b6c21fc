import MusterKit

extension Examination {
  /// The processes' clocks beside this machine's. How far one is off at least is what is told: the
  /// answer was under way for a while.
  var clocks: [Finding] {
    let common = commonOffset(present.filter { $0.time != 0 }.map(offset))
    guard let common, let verdict = Self.verdict(common) else { return clocksOfEach { beside($0) } }
    let ofAll = Finding(
      check: .clocks, verdict: verdict,
      text: "the clocks of all processes are \(Self.text(common)) this machine's",
      advice: .setClock)
    return clocksOfEach { _ in .fine }.filter { $0.verdict != .green } + [ofAll]
  }

  /// - Parameter beside: judges the clock of a process that uses the clock's time.
  private func clocksOfEach(_ beside: (ServiceStatus) -> Word) -> [Finding] {
    let most = Amounts.time(milliseconds: UInt64(DoctorBounds.clockMillisecondsYellow))
    return judge(.clocks, present, green: "all within \(most) of this machine's") { process in
      if let ahead = process.value("clock.ahead"), ahead > 0 {
        let text = "its clock is \(Amounts.time(milliseconds: ahead * 1000)) ahead of "
        return .wrong(.red, text + "what it believes", .setClock)
      }
      if let lead = process.value("clock.lead"), lead > DoctorBounds.clockLeadMillisecondsMax {
        return behind(process, by: Amounts.time(milliseconds: lead))
      }
      return process.time == 0 ? .notTold : beside(process)
    }
  }

  /// A process that once believed a clock that was ahead is past the right one, and comes back by
  /// itself. This machine's clock may be a little off, too.
  private func behind(_ process: ServiceStatus, by lead: String) -> Word {
    let text = "its clock is \(lead) behind the time that it uses"
    let isRight = process.time != 0 && Self.verdict(offset(process)) != .red
    return isRight
      ? .wrong(.yellow, text + ", and is this machine's", .waitForClock)
      : .wrong(.red, text, .setClock)
  }

  private func beside(_ process: ServiceStatus) -> Word {
    let off = offset(process)
    guard let verdict = Self.verdict(off) else { return .fine }
    return .wrong(verdict, "its clock is \(Self.text(off)) this machine's", .setClock)
  }

  /// How far a process's clock is ahead of this machine's, or behind it (below 0).
  private func offset(_ process: ServiceStatus) -> Int64 {
    if process.time < asked { return process.time - asked }
    return process.time > answered ? process.time - answered : 0
  }

  /// What all are off by, where they agree: then it is rather this machine's clock that is wrong;
  /// nil where they disagree.
  private func commonOffset(_ offsets: [Int64]) -> Int64? {
    guard offsets.count > 1, let least = offsets.min(), let most = offsets.max(),
      most - least <= DoctorBounds.clockMillisecondsYellow
    else { return nil }
    return abs(least) < abs(most) ? least : most
  }

  private static func verdict(_ offset: Int64) -> Finding.Verdict? {
    let size = abs(offset)
    if size <= DoctorBounds.clockMillisecondsYellow { return nil }
    return size > DoctorBounds.clockMillisecondsRed ? .red : .yellow
  }

  private static func text(_ offset: Int64) -> String {
    "\(Amounts.time(milliseconds: UInt64(abs(offset)))) \(offset > 0 ? "ahead of" : "behind")"
  }
}
