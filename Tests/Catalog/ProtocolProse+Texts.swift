import Operations

/// The rules for texts that clients send, which the server checks and other sentences name.
extension ProtocolProse {
  static let texts = """
    ### Rules for texts

    A character is an extended grapheme cluster of Unicode. What breaks a rule is refused with
    `invalidArgument` and the name of the field, if no other code is said here.

    - **`PhotoRules`**: A photo is a PNG, a JPEG or a WebP by its own bytes, which says its width and height
      within its first \(PhotoLimits.pieceBytesMax) bytes. A `small` one has at most \(PhotoLimits.smallBytesMax) bytes and is \(PhotoLimits.sideMin) to \(PhotoLimits.smallSideMax) pixels wide and high, a
      `normal` one \(PhotoLimits.normalBytesMax) bytes and \(PhotoLimits.sideMin) to \(PhotoLimits.normalSideMax) pixels. A PNG ends with its chunk IEND, a JPEG with the marker
      that ends an image, and a WebP has the length that its header says. None has metadata,
      which is every other part than these, and whatever stands behind the end. A PNG may have the chunks IHDR, PLTE,
      IDAT, IEND, tRNS, cHRM, gAMA, iCCP, sBIT, sRGB, cICP, mDCV, cLLI, bKGD, hIST, pHYs, acTL, fcTL and fdAT. A JPEG
      may have the markers 0xC0 to 0xDF, of which the second 0xD8 counts as metadata, 0xE0 with JFIF, 0xE2 with
      ICC_PROFILE and 0xEE with Adobe. A WebP may have VP8, VP8L, VP8X, ALPH, ANIM, ANMF and ICCP.
    - **`ProfileRules`**: A display name, and an alias that is not empty, is brought into the normal form C, loses the blanks at its ends, and
      has one space for any blanks within. Then it has 1 to \(ProfileLimits.displayNameCharactersMax) characters and at most \(ProfileLimits.displayNameBytesMax) bytes, and keeps to
      `TextRules` for one line.
    - **`RequestContentRules`**, of which the first that is broken is told:
      1. `message` is not empty, else `requiredArgument`.
      2. `objectID` is not empty where `actionType` is `send` or `askFor`, else `requiredArgument`; it is empty
         where it is another.
      3. Only one of `recipients`, `filters` and `recipientSuggestions` is there. At fault are the `recipients`,
         and without them the `recipientSuggestions`.
      4. `data` has at most \(RequestLimits.dataCharactersMax) characters. `actionType` and `filters` are known values.
      5. Bytes are at most \(RequestLimits.messageBytesMax) of `message`, \(RequestLimits.objectIDBytesMax) of `objectID`, \(RequestLimits.dataBytesMax) of `data`, \(RequestLimits.titleBytesMax) of `title`, \(RequestLimits.ctaBytesMax) of `cta`.
         There are at most \(RequestLimits.recipientsMax) `recipients` and \(RequestLimits.suggestionsMax) `recipientSuggestions`, each of 1 to \(RequestLimits.recipientBytesMax) bytes.
      6. `message`, `title` and `cta` keep to `TextRules` for several lines.
      7. `recipients` is not empty, else `requiredArgument`.

      A recipient who is no friend, or whose text is no player's and no invite token's, breaks no rule: the outcome
      is `notReachable`.
      A `message` of more than \(RequestLimits.messageCharactersAdvised) characters or a `title` of more than \(RequestLimits.titleCharactersAdvised) is told in `warnings`, or refused where
      the setting `refuse-long-texts` is 1.
    - **`TextRules`**: Refused are control characters (in a text of several lines other than tabs and line
      ends), separators of lines and paragraphs, controls of the writing direction, and noncharacters;
      unseen characters (`Default_Ignorable_Code_Point`) save where a script or an emoji needs them; and for
      one line a text in which nothing is seen, or that begins with a combining mark.

    """
}
