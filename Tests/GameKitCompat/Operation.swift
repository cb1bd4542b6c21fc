import Wire

/// The protocol's; GameKitCompat brings Foundation's along.
typealias Operation = Wire.Operation
