"""What the tests of load and faults share."""
import os
import re
import subprocess
import sys
import tempfile

CONCORD = os.environ['CONCORD']
START = '#include <pthread.h>\nint g, h;\npthread_mutex_t m;\n'
END = """static void *t(void *x) { run(); return x; }
int main(int argc, char **argv)
{
	pthread_t a;
	h = argc;
	pthread_create(&a, 0, t, 0);
	run();
	pthread_join(a, 0);
	return 0;
}
"""
IR = """declare @pthread_create(4) -> int
global @g size 4
fn internal @t(%x: ptr) -> ptr {
	call @f0()
	ret ptr null
}
fn @main() -> int {
	%h = alloc.stack 8
	%r = call i32 @pthread_create(%h, null, @t, null)
	call @f0()
	ret i32 0
}
"""


def fail(text):
    print(text)
    sys.exit(1)


def check(name, text, *more, seconds=240):
    """Runs the check on a file of that name; (status, report, messages)."""
    with tempfile.TemporaryDirectory() as directory:
        with open(f'{directory}/{name}', 'w', encoding='utf-8') as f:
            f.write(text)
        try:
            p = subprocess.run([CONCORD, 'check', '--level', 'possible', '--no-cache', *more, name],
                               cwd=directory, timeout=seconds, text=True, capture_output=True,
                               errors='replace')
        except subprocess.TimeoutExpired:
            fail(f'{name}: no end after {seconds} s')
    return p.returncode, p.stdout, p.stderr


def races(name, text, wanted, *more):
    """So many races, each named `g`, and nothing else is said."""
    status, out, err = check(name, text, *more)
    if status not in (0, 1) or err:
        fail(f'{name}: exit status {status}: {err[-2000:]}')
    got = re.findall(r"data race on '([^']*)'", out)
    if got != ['g'] * wanted or not re.search(rf'^{wanted} races? found', out, re.M):
        fail(f'{name}: races on {got}')
