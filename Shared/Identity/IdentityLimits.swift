/// The bounds of what this module takes. What comes from outside is measured before it is decoded,
/// so that nobody makes a gateway work on more than these.
public enum IdentityLimits {
  /// A token as text, in bytes. Those of the providers have about 1 KiB.
  public static let tokenSizeMax = 8 * 1024
  /// How many levels of lists and objects a JSON text may have. Jansson reads them by recursion.
  public static let jsonDepthMax = 8

  /// A document of keys, in bytes. Some providers add a certificate chain to each key.
  public static let keyDocumentSizeMax = 128 * 1024
  /// Keys of a document; those after them are left out.
  public static let keyCountMax = 32
  public static let keyIDSizeMax = 256
  /// Below this many bits an RSA key is too weak, above it is too slow to verify with.
  public static let rsaBitsMin = 2048
  public static let rsaBitsMax = 8192
  /// The bytes of an RSA key's public exponent; everybody's is 65,537.
  public static let rsaExponentSizeMax = 4

  /// Who a token is about, in bytes: OpenID Connect Core 1.0, section 2.
  public static let subjectSizeMax = 255
  public static let audienceCountMax = 16

  /// A certificate, or a PEM text of several, in bytes.
  public static let certificateSizeMax = 64 * 1024
  /// Certificates of a PEM text, and of a chain.
  public static let certificateCountMax = 16
  public static let certificateURLSizeMax = 256
  /// Game Center's salts have 4 bytes.
  public static let saltSizeMax = 64
  public static let signatureSizeMax = rsaBitsMax / 8

  /// A Steam ticket, in bytes; as text it has twice as many.
  public static let ticketSizeMax = 2560
  public static let steamAnswerSizeMax = 4 * 1024
}
