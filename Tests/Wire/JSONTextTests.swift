import Testing
import Wire

@Suite struct JSONTextTests {
  @Test(
    "7.2 a text of another player neither controls a terminal nor turns what follows",
    arguments: [
      ("a\u{1b}[2J", #""a\u001b[2J""#), ("\u{202E}evil\u{202C}", #""\u202eevil\u202c""#),
      ("\u{2066}a\u{2069}", #""\u2066a\u2069""#), ("\u{200E}\u{200F}", #""\u200e\u200f""#),
      ("\u{61C}", #""\u061c""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("a\"\\\n", #""a\"\\\n""#), ("日本 👩‍👧 é", "\"日本 👩‍👧 é\""),
    ])
  func texts(_ text: String, _ json: String) {
    #expect(JSONText.of(.text(text)) == json)
  }
}
