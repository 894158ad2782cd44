"""Runs that are killed at any time leave a cache that later runs can use, and no children."""
from cachetest import Project, same
import os
import random
import signal
import subprocess
import time

rand = random.Random(2)

with Project() as p:
    cold = p.run(cache=False)
    start = time.monotonic()
    same(p.run(), cold)
    whole = time.monotonic() - start
    for i in range(8):
        for path in p.entries()[i % 3:]:
            os.unlink(path)
        run = subprocess.Popen(p.command('-o', 'report'), cwd=p.dir, stderr=subprocess.DEVNULL)
        time.sleep(whole * 1.2 * rand.random())
        run.send_signal(signal.SIGKILL)
        run.wait()
        if os.path.exists(f'{p.dir}/report'):
            same(open(f'{p.dir}/report').read(), cold[1], 'a report is whole or not there')
            os.unlink(f'{p.dir}/report')
        same(p.run(), cold, 'after a killed run')
    same(p.found(), 2)
    same(p.known(), True)
    time.sleep(0.2)
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            same(os.readlink(f'/proc/{pid}/cwd') == p.dir, False, f'process {pid} outlived its run')
        except OSError:
            continue
