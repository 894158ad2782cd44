/* fuzz_class.c - the reader of class files and the lowering of bytecode: what is
 * not refused with a reason gives a program that ir_check passes, also after
 * superclasses were resolved. */
#include "fuzz.h"

#include "jvm/jvm.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *why = NULL;
	ClassFile c;
	JvmUnit *u;
	Arena a;
	Ir ir;

	arena_init(&a, NULL);
	if (!class_parse(&c, &a, bytes, n, &why)) {
		assert(why);
		arena_release(&a);
		return 0;
	}
	ir_init(&ir, &a);
	u = jvm_unit_new(&ir);
	jvm_lower_class(u, &c);
	jvm_unit_finish(u);
	assert(!ir_check(&ir));
	jvm_resolve(&ir);
	assert(!ir_check(&ir));
	arena_release(&a);
	return 0;
}
