int
nested(int x)
{
	int twice(int y)
	{
		return x + y;
	}
	return twice(x);
}
