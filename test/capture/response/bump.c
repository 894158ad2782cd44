#ifndef PLAIN
#error PLAIN
#endif
extern int counter;

void
bump(void)
{
	counter++;
}
