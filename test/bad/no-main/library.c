int g;
void up(void) { g++; }
void down(void) { g--; }
