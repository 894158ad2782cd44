"""Runs that use one cache at once, also one that keeps removing entries, all print the same bytes."""
from cachetest import CONCORD, Project, same
import subprocess

with Project() as p:
    for inputs, more in ((('main.c', 'lib.c'), []), (('main.bc', 'lib.bc'), []),
                         (('main.c', 'lib.c'), ['--cache-limit', '4K'])):
        cold = p.run(inputs=inputs, cache=False)
        runs = [subprocess.Popen(p.command(*more, inputs=inputs), cwd=p.dir, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(6)]
        while runs[-1].poll() is None:
            subprocess.run([CONCORD, 'cache', '--cache', p.cache, 'clear'], check=False,
                           capture_output=True)
        for run in runs:
            out, err = run.communicate()
            err = ''.join(x for x in err.splitlines(True) if 'in the cache' not in x)
            same((run.returncode, out, err), cold, 'one of several runs')
    same(p.run(inputs=inputs), cold)
    same(p.found(inputs=inputs), 2)
    same(p.known(inputs=inputs), True)
