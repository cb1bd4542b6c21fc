import Operations
import Wire

/// The achievements that one game declares, in the order in which it declared them first. They are
/// so few that looking at all of them is no cost.
struct GameAchievements {
  private(set) var rows: [AchievementRow] = []

  subscript(name: String) -> AchievementRow? {
    rows.first { $0.definition.achievement == name }
  }

  mutating func put(_ row: AchievementRow) {
    if let place = rows.firstIndex(where: { $0.key == row.key }) {
      rows[place] = row
    } else {
      let place = rows.firstIndex { $0.number > row.number } ?? rows.count
      rows.insert(row, at: place)
    }
  }
}
