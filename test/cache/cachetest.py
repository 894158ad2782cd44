"""What the tests of the cache share: a small project, and runs with a cache of their own."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

CONCORD = os.environ['CONCORD']

PROGRAM = """#include "lib.h"
#include <pthread.h>
int shared;
static void *run(void *x) { shared += STEP; return x; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, run, 0);
	shared++;
	work();
	pthread_join(t, 0);
	return 0;
}
"""
LIBRARY = """#include "lib.h"
#if __has_include("more.h")
#include "more.h"
#endif
#ifndef MORE
#define MORE
#endif
int other;
void work(void) { other = STEP; MORE; }
"""
HEADER = '#define STEP 1\nvoid work(void);\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


class Project:
    """Two units that include a header, and their bitcode, in a directory of their own."""

    def __init__(self):
        self.dir = tempfile.mkdtemp()
        self.cache = os.path.join(self.dir, 'cache')
        write(f'{self.dir}/main.c', PROGRAM)
        write(f'{self.dir}/lib.c', LIBRARY)
        write(f'{self.dir}/include/lib.h', HEADER)
        for name in ('main', 'lib'):
            subprocess.run(['clang-19', '-g', '-O0', '-c', '-emit-llvm', '-Iinclude', f'{name}.c'],
                           cwd=self.dir, check=True)
        self.settle()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.dir, ignore_errors=True)

    def settle(self):
        """A file that is as new as the run is not kept."""
        time.sleep(0.05)

    def command(self, *more, inputs=('main.c', 'lib.c'), cache=None, flags=('-Iearly', '-Iinclude')):
        where = ['--no-cache'] if cache is False else ['--cache', cache or self.cache]
        clang = ['--'] + list(flags) if inputs[0].endswith('.c') else []
        return [CONCORD, 'check', '--level', 'possible', *where, *more, *inputs, *clang]

    def run(self, *more, **how):
        """(status, report, messages)"""
        p = subprocess.run(self.command(*more, **how), cwd=self.dir, capture_output=True, text=True,
                           errors='replace', timeout=120)
        return p.returncode, p.stdout, p.stderr

    def found(self, **how):
        """How many units came from the cache, in a run that gives the right answer."""
        status, out, err = self.run('--stats', **how)
        n = re.search(r'(\d+) units from the cache', out)
        same(self.run(cache=False, **{k: v for k, v in how.items() if k != 'cache'})[0], status)
        if not n:
            fail(f'no count of units in {out}{err}')
        return int(n.group(1))

    def known(self, *more, **how):
        """Was the result of this check kept before?"""
        out = self.run('--stats', *more, **how)[1]
        n = re.search(r'(\d+) results from the cache', out)
        if not n or ('points-to' in out) == (n.group(1) == '1'):
            fail(f'no count of results in {out}')
        return n.group(1) == '1'

    def entries(self, kind=''):
        return sorted(os.path.join(d, f) for d, _, fs in os.walk(self.cache) for f in fs
                      if f != 'CACHEDIR.TAG' and f.endswith(kind))


def fail(text):
    print(text)
    sys.exit(1)


def same(got, wanted, what=''):
    if got != wanted:
        fail(f'{what}: got\n{got}\nnot\n{wanted}')
