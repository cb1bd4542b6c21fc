import Spelling
import Testing

@Suite struct NearestTests {
  @Test(
    "a distance is how many letters are to be added, removed or replaced",
    arguments: [
      ("", "", 0), ("top", "top", 0), ("tip", "top", 1), ("to", "top", 1), ("topp", "top", 1),
      ("", "top", 3), ("kitten", "sitting", 3),
    ])
  func distance(_ left: String, _ right: String, _ distance: Int) {
    #expect(Nearest.distance(left, right) == distance)
    #expect(Nearest.distance(right, left) == distance)
  }

  @Test("what is too far from everything is nothing that was meant")
  func near() {
    #expect(Nearest.to("bord top", among: ["board top", "board show"]) == "board top")
    #expect(Nearest.to("nothing", among: ["board top", "match"]) == nil)
    #expect(Nearest.to("x", among: ["a", "b"]) == nil)
  }

  @Test("a beginning of three letters is near, and the shortest that goes on so is meant")
  func beginnings() {
    let words = ["data-directory", "data", "log-level"]
    #expect(Nearest.to("log-l", amongOrBeginning: words) == "log-level")
    #expect(Nearest.to("dat", amongOrBeginning: words) == "data")
    #expect(Nearest.to("data-dir", amongOrBeginning: words) == "data-directory")
    #expect(Nearest.to("da", amongOrBeginning: words + ["dab"]) == "dab")
    #expect(Nearest.to("lo", amongOrBeginning: words) == nil)
    #expect(Nearest.to("log-l", among: words) == nil)
  }
}
