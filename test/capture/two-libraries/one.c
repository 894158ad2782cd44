int bump(void);

int
one(void)
{
	return bump();
}
