extern int counter;

void
bump(void)
{
	counter++;
#ifdef TWICE
	counter++;
#endif
}
