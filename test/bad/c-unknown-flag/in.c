int counter;

int main(void)
{
	return ++counter;
}
