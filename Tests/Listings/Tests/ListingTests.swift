import Testing

@testable import muster_listings

@Suite struct ListingTests {
  @Test("a listing goes on over open brackets and blank lines, and ends where prose begins")
  func found() {
    let text = """
      Present the dialog with show().
      let content = Content()
      content.filter = .none // all

      content.show(
      with: self
      )
      Content is a class. If it is open, close it.
      class Controller: Delegate {
      func show() {
      It is not prose while a bracket is open.
      }
      }
      .none | Show all contexts.
      .sheet(isPresented: $isShown) {
      Text("a")
      }
      - (void) show
      {
          query.category = category;
      }
      """
    let listings = ListingText(text).listings
    #expect(listings.map(\.line) == [2, 9, 15])
    #expect(listings.map(\.lines.count) == [6, 5, 3])
    #expect(listings[0].lines.last == ")")
  }

  @Test("Markdown says itself where its listings are; those with more than a language do not count")
  func markdown() {
    let text = """
      let me tell
      ```swift
      let a = 1
      ```
      ```swift manifest
      let b = 1
      ```
      ```sh
      make run
      ```
      1. In a list:

         ```swift
         if a {
           b()
         }
         ```
      ```swift
      let c = 1
      """
    let expected = [
      Listing(line: 3, lines: ["let a = 1"]),
      Listing(line: 14, lines: ["if a {", "  b()", "}"]),
    ]
    #expect(ListingText(markdown: text).listings == expected)
  }

  @Test("a template gets its listings, whole or open, and the imports' names of here")
  func template() throws {
    let listings = [
      Listing(line: 1, lines: ["import Theirs", "", "class A {", "  let a = 1", "}"])
    ]
    let source = """
      import StandIns
      //#listing 000 1 open
        let b = 2
      }
      """
    let filled = try ListingTemplate(source).filled(
      from: ["000": listings], imports: ["Theirs": "Ours"])
    let expected = """
      import Ours
      import StandIns

      class A {
        let a = 1
        let b = 2
      }
      """
    #expect(filled.source == expected)
    #expect(filled.uses == [ListingTemplate.Use(text: "000", number: 1)])
    #expect(throws: ListingTemplate.Fault.noSuchListing("//#listing 000 2")) {
      try ListingTemplate("//#listing 000 2").filled(from: ["000": listings], imports: [:])
    }
    #expect(throws: ListingTemplate.Fault.badLine("//#listing 000 1 shut")) {
      try ListingTemplate("//#listing 000 1 shut").filled(from: ["000": listings], imports: [:])
    }
  }

  @Test("each listing of an article is a function, and an extension stands by itself")
  func article() {
    let listings = [
      Listing(line: 3, lines: ["import B", "call()"]),
      Listing(line: 9, lines: ["extension A {}"]),
    ]
    let expected = """
      import A
      import B
      // Line 3.
      @MainActor private func x3(_ client: MusterClient) async throws {
      call()
      }
      // Line 9.
      extension A {}

      """
    #expect(ArticleSource(listings, of: "x", modules: ["A"]).source == expected)
  }
}
