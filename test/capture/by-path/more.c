int more_counter;

void
more(void)
{
	more_counter++;
}
