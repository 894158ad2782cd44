"""The memory limit in a chain of 30,000 calls: a message, exit status 3, and the limit is kept to."""
from faulttest import CONCORD, IR, fail
import os
import subprocess
import tempfile

CHAIN = IR + ''.join(f'fn internal @f{i}() {{\n call @f{i + 1}()\n ret\n}}\n' for i in range(30000)) + \
    'fn internal @f30000() {\n store i32 @g, 1\n ret\n}\n'
with tempfile.TemporaryDirectory() as directory:
    for name, text in (('chain.ir', CHAIN),):
        with open(f'{directory}/{name}', 'w') as f:
            f.write(text)
        for limit in ('60M', '100M'):
            run = subprocess.Popen([CONCORD, 'check', '--no-cache', '--memory-limit', limit, name],
                                   cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
            said = run.stderr.read()
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            if run.returncode != 3 or said.count('\n') > 2 or 'memory limit' not in said:
                fail(f'{name} with {limit}: exit status {run.returncode}: {said}')
            if usage.ru_maxrss > 1024 * 400:
                fail(f'{name} with {limit}: {usage.ru_maxrss // 1024} MiB')
