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

  @Test("the report names each listing that does not compile or has not run, and why")
  func report() {
    let rows = ["Contexts 000 1 3", "Contexts 000 2 9", "Requests 001 1 4", "Counter 002 1 7"]
      .compactMap { ListingReport.Row($0) }
    #expect(rows.map(\.fields).last == "Counter 002 1 7")
    let five = ["compiled Contexts", "ran 000 1 was seen", "compiled Requests", "ran 001 1 came"]
    let six = ["compiled Contexts", "ran 000 1 was seen", "failed Contexts no stack"]
    let report = ListingReport(rows, results: [("5", five), ("6", six)])
    let expected = [
      "000 1, line 3: compiles and ran in Swift 5, compiles and ran in Swift 6: was seen",
      "000 2, line 9: compiles and did not run (its program does not run it) in Swift 5, "
        + "compiles and did not run (no stack) in Swift 6",
      "001 1, line 4: compiles and ran in Swift 5, does not compile in Swift 6: came",
      "002 1, line 7: does not compile in Swift 5, does not compile in Swift 6",
    ]
    #expect(report.lines == expected)
    #expect(!report.isComplete)
    #expect(ListingReport([rows[0]], results: [("5", five), ("6", six)]).isComplete)
  }

  @Test("listings in Objective-C are found by their headings")
  func numbered() {
    let text = """
      Listing 6-1 shows the delegate.  It is prose.
      Listing 6-1  Displaying the interface
      - (void) show
      Listing A  Nothing
      Listing 6-2\u{a0} \u{a0}Dismissing it
      """
    let found = ListingReport.Row.numbered(in: text, named: "003", program: "Challenges")
    #expect(found.map(\.fields) == ["Challenges 003 6-1 2", "Challenges 003 6-2 5"])
  }
}
