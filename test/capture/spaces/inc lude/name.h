static const char name[] = NAME;
