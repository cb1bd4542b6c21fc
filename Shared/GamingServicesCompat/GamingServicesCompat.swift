// GamingServicesCompat
