import StandIns

//#listing 001 5
