"""A full disk for what a build leaves behind: said, with exit status 2, or an assumption of the report."""
from faulttest import CONCORD, END, START, fail
import os
import re
import subprocess
import tempfile

SMALL = START + 'void run(void);\n' + END
LARGE = ''.join(f'void f{i}(int *x) {{ *x += {i}; }}\n' for i in range(1000)) + \
    'extern int g;\nvoid run(void) { g++; }\n'
BUILD = 'cc -c small.c && cc -c large.c && cc -o prog small.o large.o -pthread'
MOUNT = 'mount -t tmpfs -o size="$1" none full && shift && exec "$@"'


def build(directory, size):
    return subprocess.run(['unshare', '-rm', 'sh', '-c', MOUNT, 'sh', size, CONCORD, 'build', '--no-cache',
                           '--capture', 'full/capture', '--', 'sh', '-c', BUILD],
                          cwd=directory, capture_output=True, text=True, timeout=240)


with tempfile.TemporaryDirectory() as directory:
    os.mkdir(f'{directory}/full')
    for name, text in (('small.c', SMALL), ('large.c', LARGE)):
        with open(f'{directory}/{name}', 'w') as f:
            f.write(text)
    if subprocess.run(['unshare', '-rm', 'sh', '-c', MOUNT, 'sh', '4k', 'true'], cwd=directory,
                      capture_output=True).returncode:
        raise SystemExit(0)  # nobody may mount here
    for size in ('4k', '8k'):  # the disk is full before the link
        run = build(directory, size)
        if run.returncode != 2 or 'No space left on device' not in run.stderr or \
                'full/capture: error: not all of the build could be kept here' not in run.stderr:
            fail(f'{size}: exit status {run.returncode}: {run.stdout}{run.stderr}')
    run = build(directory, '32k')  # all fits but the large unit
    if run.returncode != 0 or not re.search(r'large\.c is not analysed.*No space left on device', run.stdout):
        fail(f'32k: exit status {run.returncode}: {run.stdout}{run.stderr}')
    run = build(directory, '8M')
    if run.returncode != 1 or '1 race found' not in run.stdout:
        fail(f'8M: exit status {run.returncode}: {run.stdout}{run.stderr}')
