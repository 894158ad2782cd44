#include <stdarg.h>

void first_unknown(int *p);
void second_unknown(int *p);
int EVP_PKEY_of_the_future(int *p);

static int
sum(int n, ...)
{
	va_list list;
	int s = 0;

	va_start(list, n);
	while (n--)
		s += va_arg(list, int);
	va_end(list);
	return s;
}

static void
most(int n, ...)
{
	va_list list;

	va_start(list, n);
	va_end(list);
}

static void
least(int n, ...)
{
	va_list list;

	va_start(list, n);
	va_end(list);
}

int
main(void)
{
	int x = sum(2, 1, 1);

	most(1, 1);
	least(1, 1);
	first_unknown(&x);
	second_unknown(&x);
	second_unknown(&x);
	EVP_PKEY_of_the_future(&x);
	asm volatile("nop");
	return 0;
}
