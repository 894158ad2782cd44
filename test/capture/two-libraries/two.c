int bump(void);

int
two(void)
{
	return bump();
}
