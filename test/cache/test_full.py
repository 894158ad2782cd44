"""A cache that cannot be written, or is full, or beyond its limit, changes nothing but a note."""
from cachetest import CONCORD, Project, fail, same
import os
import subprocess


def expect(p, what, cache, note, before=()):
    command = list(before) + p.command(cache=cache)
    run = subprocess.run(command, cwd=p.dir, capture_output=True, text=True, timeout=120)
    same((run.returncode, run.stdout), p.run(cache=False)[:2], what)
    if (note in run.stderr) != (note != '') or len(run.stderr.splitlines()) > 1:
        fail(f'{what}: the note is\n{run.stderr}')


def sizes(p):
    return sum(os.path.getsize(path) for path in p.entries())


with Project() as p:
    open(f'{p.dir}/file', 'w').close()
    expect(p, 'a file', f'{p.dir}/file', 'Not a directory')
    expect(p, 'below a device', '/dev/null/cache', 'Not a directory')
    expect(p, 'nowhere', '/proc/self/cache', 'note: nothing more is kept in the cache')
    # a file system with room for one page
    os.mkdir(f'{p.dir}/full')
    mount = ['unshare', '-rm', 'sh', '-c',
             'mount -t tmpfs -o size=4k,nr_inodes=32 none full && exec "$@"', 'sh']
    if subprocess.run(mount + ['true'], cwd=p.dir, capture_output=True).returncode == 0:
        expect(p, 'a full disk', 'full', 'No space left on device', mount)
        mount[4] = mount[4].replace('size=4k', 'ro')
        expect(p, 'a read-only disk', 'full', 'Read-only file system', mount)
    same(p.run('--cache-limit', '1')[:2], p.run(cache=False)[:2], 'a tiny limit')
    same(sizes(p), 0, 'nothing fits')
    same(p.run()[:2], p.run(cache=False)[:2])
    if sizes(p) == 0:
        fail('nothing was kept')
    out = subprocess.run([CONCORD, 'cache', '--cache', p.cache, 'stat'], capture_output=True,
                         text=True).stdout
    same([w in out for w in (p.cache, '2 ir', '2 deps', '1 result')], [True] * 4, out)
    same(subprocess.run([CONCORD, 'cache', '--cache', p.cache, 'clear']).returncode, 0)
    same(p.entries(), [])
    bad = subprocess.run([CONCORD, 'cache', 'burn'], capture_output=True, text=True)
    same((bad.returncode, 'stat or clear' in bad.stderr), (2, True))
