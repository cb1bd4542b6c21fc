// MusterKit
