import MusterKit

extension ScorePage: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "entries", empty: "no scores here; submit one with `muster board submit BOARD VALUE`",
        \.entries,
        [
          .number("rank", \.rank), .name { $0.player }, .number("value", \.value),
          .number("tag") { $0.scoreTag == 0 ? nil : $0.scoreTag }, .date("date", \.date),
          .id("player") { $0.player },
        ])
    ]
  }

  func notes(_ reading: Reading) -> [String] {
    var notes = entries.count == Int(total) ? [] : ["\(entries.count) of \(total)"]
    if let own = localEntry { notes.append("you: rank \(own.rank) of \(total), with \(own.value)") }
    return notes
  }
}

extension ListLeaderboardSets.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "sets", empty: "no sets; `muster apply FILE` declares them", \.sets,
        [.word("set", \.set), .text("title", \.title)])
    ]
  }
}

extension DescribeLeaderboardSet.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "boards", empty: "no boards", \.boards,
        [.word("board", \.board), .text("title") { $0.title ?? "" }])
    ]
  }
}

extension DescribeAchievements.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "definitions", empty: "no achievements; `muster apply FILE` declares them", \.definitions,
        [
          .word("achievement", \.achievement), .text("title", \.title),
          .number("points", \.points), .flag("hidden", \.isHidden),
          .flag("replayable", \.isReplayable), .text("description", \.descriptionBefore),
        ])
    ]
  }
}

extension AchievementProgress {
  fileprivate static var columns: [Column<Self>] {
    [
      .word("achievement", \.achievement), .word("percent") { "\($0.percentComplete)" },
      .date("reported", \.lastReportedDate), .date("completed", \.completionDate),
    ]
  }
}

extension ListAchievements.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "achievements", empty: "nothing reported yet; `muster achievement show` lists them",
        \.achievements, AchievementProgress.columns)
    ]
  }
}

extension ReportAchievements.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "achievements", empty: "nothing reported", \.achievements, AchievementProgress.columns)
    ]
  }
}
