"""A run that is killed leaves the old report, whole, and no child, nor does a build; a full disk for the report is said, with exit status 2."""
from faulttest import CONCORD, END, START, fail
import os
import signal
import subprocess
import tempfile
import time

PROGRAM = START + ''.join(f'static void f{i}(void) {{ g = {i}; }}\n' for i in range(3000)) + \
    'static void run(void) {\n' + ''.join(f'f{i}();\n' for i in range(3000)) + '}\n' + END


def processes(directory):
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            if os.readlink(f'/proc/{pid}/cwd') == directory:
                found.append(open(f'/proc/{pid}/cmdline').read())
        except OSError:
            continue
    return found


def wait_for_end(directory):
    end = time.monotonic() + 5
    while processes(directory) and time.monotonic() < end:
        time.sleep(0.05)
    if processes(directory):
        fail(f'still there: {processes(directory)}')


with tempfile.TemporaryDirectory() as directory:
    with open(f'{directory}/in.c', 'w') as f:
        f.write(PROGRAM)
    command = [CONCORD, 'check', '--no-cache', '-o', 'report', 'in.c']
    for delay, how in ((0.05, signal.SIGKILL), (0.2, signal.SIGTERM), (0.5, signal.SIGKILL)):
        with open(f'{directory}/report', 'w') as f:
            f.write('old')
        run = subprocess.Popen(command, cwd=directory, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        run.send_signal(how)
        run.wait()
        text = open(f'{directory}/report').read()
        if text != 'old' and ' found in ' not in text:
            fail(f'half a report: {text[-200:]}')
        wait_for_end(directory)
    for how in (signal.SIGKILL, signal.SIGTERM):
        run = subprocess.Popen([CONCORD, 'build', '--', 'sleep', '300'], cwd=directory,
                               stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not any(p.startswith('sleep') for p in processes(directory)):
            if time.monotonic() > end:
                fail('the build did not begin')
            time.sleep(0.05)
        run.send_signal(how)
        run.wait()
        wait_for_end(directory)
    mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=4k none full && echo old >full/report '
             '&& "$@"; status=$?; cat full/report; ls full; exit $status', 'sh']
    os.mkdir(f'{directory}/full')
    if subprocess.run(mount + ['true'], cwd=directory, capture_output=True).returncode == 0:
        command[-2] = 'full/report'
        run = subprocess.run(mount + command, cwd=directory, capture_output=True, text=True)
        if (run.returncode, run.stdout) != (2, 'old\nreport\n') or \
                'full/report: No space left on device' not in run.stderr:
            fail(f'a full disk: exit status {run.returncode}, {run.stdout}{run.stderr}')
