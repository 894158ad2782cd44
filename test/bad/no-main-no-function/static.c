static int g; static void f(void) { g++; } void (*p)(void);
