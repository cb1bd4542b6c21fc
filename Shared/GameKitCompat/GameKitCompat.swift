// GameKitCompat
