int other(void)
{
	return 1 + missing;
}
