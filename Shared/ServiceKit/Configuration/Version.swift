/// The version that `--version` prints.
public enum MusterVersion {
  public static let text = "0.1.0"
}
