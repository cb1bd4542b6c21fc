enum Moments {}
