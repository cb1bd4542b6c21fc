import MusterKit

extension Examination {
  /// Whether the disks take what is written, and have room.
  var disks: [Finding] {
    let least = services.compactMap { process in
      process.value("disk.free").map { (free: $0, process.title) }
    }.min { $0.free < $1.free }
    let green = least.map { "\(Amounts.size($0.free)) are free or more" } ?? "no service answers"
    return judge(.disks, services, green: green) { process in
      if let full = process.value("storage.full"), full > 0 {
        return .wrong(.red, "its disk is full, and changes are refused", .freeDisk)
      }
      if let waiting = process.value("commits.waiting"),
        waiting >= DoctorBounds.commitMillisecondsRed
      {
        let time = Amounts.time(milliseconds: waiting)
        return .wrong(.red, "its store has not answered for \(time)", .lookAtDisk)
      }
      if let unreadable = process.value("store.unreadable"), unreadable > 0 {
        let count = process.value("store.read_failures") ?? 0
        return .wrong(
          .red, "its store could not be read (\(count) times since the start)", .restoreStore)
      }
      guard let free = process.value("disk.free"), let total = process.value("disk.total"),
        total > 0
      else { return .notTold }
      return room(free: free, total: total)
    }
  }

  private func room(free: UInt64, total: UInt64) -> Word {
    let text = "\(Amounts.size(free)) of \(Amounts.size(total)) are free"
    if free < DoctorBounds.diskBytesRed { return .wrong(.red, text, .freeDisk) }
    let isLittle =
      free < DoctorBounds.diskBytesYellow
      || free / DoctorBounds.diskPercentYellow < total / 100
    return isLittle ? .wrong(.yellow, text, .freeDisk) : .fine
  }

  /// Whether the services hear of each other.
  var effects: [Finding] {
    judge(.effects, services, green: "what services tell each other is confirmed") { process in
      let age = process.value("effects.oldest_open")
      let open = process.value("effects.open") ?? 0
      if let age, age > DoctorBounds.effectMillisecondsYellow, open > 0 {
        return .wrong(
          age > DoctorBounds.effectMillisecondsRed ? .red : .yellow,
          "\(open) effects are unconfirmed, the oldest for \(Amounts.time(milliseconds: age))",
          .reachReceiver)
      }
      if let waiting = process.value("effects.waiting_for_upgrade"), waiting > 0 {
        return .wrong(.yellow, "effects wait for a newer version of their receiver", .install)
      }
      if let parked = process.value("effects.parked"), parked > 0 {
        return .wrong(.yellow, "\(parked) effects were refused for good", .lookAtParked)
      }
      return age == nil && open > 0 ? .notTold : .fine
    }
  }

  /// Whether the tables keep up with the journal: past a bound of it, writers are slowed.
  var journals: [Finding] {
    judge(.journals, services, green: "the tables keep up with the journals") { process in
      guard let age = process.value("journal.age") else { return .notTold }
      if age <= DoctorBounds.journalMillisecondsYellow { return .fine }
      let time = Amounts.time(milliseconds: age)
      return .wrong(.yellow, "changes of \(time) ago are not in its tables yet", .lookAtDisk)
    }
  }

  /// Whether each service has the list of whom its store has erased: a backup that is put back
  /// brings back who is not on it.
  var erasures: [Finding] {
    let green = "the lists of erased players have all whom the stores have erased"
    return judge(.erasures, services, green: green) { process in
      guard let count = process.value("erasures.unlisted") else { return .notTold }
      if count == 0 { return .fine }
      return .wrong(
        .red,
        "its list of erased players lacks \(count == 1 ? "1 player" : "\(count) players") whom its "
          + "store has erased", .restoreErasedList)
    }
  }
}
