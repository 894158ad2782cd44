static int count;

int
bump(void)
{
	return ++count;
}
