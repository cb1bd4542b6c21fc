import Testing

@testable import muster

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
}
