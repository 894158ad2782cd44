"""A second run reads every unit from the cache and prints the same bytes; whatever the result depends on makes a miss."""
from cachetest import Project, same, write
import os


def check(p, what, wanted, **how):
    """The next run finds so many of the two units, the one after it both, with the same bytes."""
    same(p.found(**how), wanted, what)
    same(p.found(**how), 2, what + ', again')
    for form in ('text', 'json'):
        same(p.run('--format', form, **how), p.run('--format', form, **{**how, 'cache': False}), what)


with Project() as p:
    d = p.dir
    check(p, 'cold', 0)
    check(p, 'bitcode', 0, inputs=('main.bc', 'lib.bc'))
    check(p, 'another flag', 0, flags=('-DX', '-Iearly', '-Iinclude'))
    write(f'{d}/include/lib.h', '#define STEP 2\nvoid work(void);\n')
    p.settle()
    check(p, 'a changed header', 0)
    write(f'{d}/lib.c', open(f'{d}/lib.c').read() + 'int third;\n')
    p.settle()
    check(p, 'a changed source', 1)
    before = p.run()
    write(f'{d}/more.h', 'extern int shared;\n#define MORE shared = 3\n')
    p.settle()
    check(p, 'a header that was asked for and is now there', 1)
    same(p.run()[1] != before[1], True, 'the new header shows')
    write(f'{d}/early/lib.h', '#define STEP 4\nvoid work(void);\n')
    p.settle()
    check(p, 'a header that is now found earlier', 0)
    os.rename(f'{d}/early/lib.h', f'{d}/early/gone.h')
    check(p, 'and no longer', 0)
    os.environ['CPATH'] = f'{d}/early'
    check(p, 'the environment', 0)
    write(f'{d}/lib.c', 'const char *now(void) { return __TIME__; }\nvoid work(void) {}\n')
    p.settle()
    same([p.found(), p.found(), p.found()], [1, 1, 1], 'a source with a time is never kept')
    # bitcode under another name, or changed
    os.rename(f'{d}/lib.bc', f'{d}/lib2.bc')
    check(p, 'another name', 1, inputs=('main.bc', 'lib2.bc'))
    same(p.found(inputs=('main.bc', 'main.c'), flags=()) <= 2, True)
