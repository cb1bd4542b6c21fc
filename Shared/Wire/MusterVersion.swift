/// The version that `--version` of every program prints.
public enum MusterVersion {
  public static let text = "0.1.0"
}
