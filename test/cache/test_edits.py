"""After each of 30 random edits (accesses, numbers, locks, calls, pointers, lines, names, order) a run with a cache prints what one without prints."""
from cachetest import CONCORD, fail, same, write
import os
import random
import re
import shutil
import subprocess
import tempfile
import time

FILES, FUNCTIONS, EDITS = 3, 4, 30
rand = random.Random(7)
WORD = ['a', 'b', 'c', 'd']
KINDS = ['add', 'add', 'remove', 'number', 'pointer', 'call', 'handler', 'lock', 'blank', 'comment', 'rename', 'swap', 'move', 'undo']


class Program:
    """Files of functions, each a name and a list of lines."""

    def __init__(self):
        self.files = [[[f'f{i}_{k}', [self.line()]] for k in range(FUNCTIONS)] for i in range(FILES)]
        self.gone = []
        self.plan = (KINDS * EDITS)[:EDITS]
        rand.shuffle(self.plan)

    def names(self):
        return [f[0] for fs in self.files for f in fs]

    def line(self):
        v = rand.choice(WORD)
        return rand.choice([f'{v}++;', f'{v} = {rand.choice(WORD)};', f'if ({v} > {rand.randrange(9)}) {v} = 0;',
                            f'LOCK({v}); {v}++; UNLOCK({v});', f's->{v} += 2;'])

    def call(self):
        return f'{rand.choice(self.names())}(s);'

    def some(self):
        return rand.choice(rand.choice(self.files))

    def edit(self):
        f = self.some()
        kind = self.plan.pop()
        body, at = f[1], rand.randrange(len(f[1]) + 1)
        if kind == 'add':
            body.insert(at, self.line())
        elif kind == 'remove' and body:
            self.gone.append((body, body.pop(at - 1)))
        elif kind == 'number':
            body[:] = [re.sub(r'\b\d\b', lambda _: str(rand.randrange(10)), x) for x in body + ['c = 5;']]
        elif kind == 'pointer':
            body.insert(at, f'where = &{rand.choice(WORD)}; *where = 1;')
        elif kind == 'call':
            body.insert(at, self.call())
        elif kind == 'handler':
            body.insert(at, f'handler = {rand.choice(self.names())}; handler(s);')
        elif kind == 'lock':
            v = rand.choice(WORD)
            body[:] = [f'LOCK({v});', *body, f'UNLOCK({v});']
        elif kind == 'blank':
            body.insert(at, '')
        elif kind == 'comment':
            body.insert(at, f'/* {rand.random()} */' + '\n' * rand.randrange(3))
        elif kind == 'rename':
            old, new = f[0], f'{f[0].split("x")[0]}x{rand.randrange(99)}'
            f[0] = new
            for g in (g for fs in self.files for g in fs):
                g[1][:] = [re.sub(rf'\b{old}\b', new, x) for x in g[1]]
        elif kind == 'swap':
            rand.shuffle(rand.choice(self.files))
        elif kind == 'move':
            a, b = rand.sample(range(FILES), 2)
            if self.files[a]:
                self.files[b].insert(0, self.files[a].pop())
        elif kind == 'undo' and self.gone:
            body, line = self.gone.pop()
            body.append(line)
        return kind

    def save(self, where):
        names = self.names()
        write(f'{where}/all.h', '#include <pthread.h>\nstruct s { int a, b, c, d; };\n' +
              ''.join(f'extern int {v}; extern pthread_mutex_t m_{v};\n' for v in WORD) +
              'extern int *where; extern void (*handler)(struct s *);\n'
              '#define LOCK(v) pthread_mutex_lock(&m_##v)\n#define UNLOCK(v) pthread_mutex_unlock(&m_##v)\n')
        for i, functions in enumerate(self.files):
            text = ''.join(f'void {n}(struct s *);\n' for n in sorted(names))
            for name, body in functions:
                text += f'void {name}(struct s *s)\n{{\n\tif (s->d)\n\t\treturn;\n' + ''.join(f'\t{x}\n' for x in body) + '}\n'
            self.put(f'{where}/u{i}.c', '#include "all.h"\n' + text)
        text = ''.join(f'int {v}; pthread_mutex_t m_{v} = PTHREAD_MUTEX_INITIALIZER;\n' for v in WORD)
        text += ''.join(f'void {n}(struct s *);\n' for n in sorted(names)) + 'struct s one;\n'
        text += 'int *where = &a; void (*handler)(struct s *);\n'
        text += 'static void *run(void *p)\n{\n' + ''.join(f'\t{n}(p);\n' for n in sorted(names)[::2]) + '\treturn 0;\n}\n'
        text += 'int main(void)\n{\n\tpthread_t t;\n\tpthread_create(&t, 0, run, &one);\n'
        text += ''.join(f'\t{n}(&one);\n' for n in sorted(names)[1::2]) + '\treturn 0;\n}\n'
        self.put(f'{where}/main.c', '#include "all.h"\n' + text)

    def put(self, path, text):
        if not os.path.exists(path) or open(path, encoding='utf-8').read() != text:
            write(path, text)


def check(where, *cache):
    p = subprocess.run([CONCORD, 'check', '--no-config', '--level', 'possible', '--format', 'json', *cache,
                        'main.c', *(f'u{i}.c' for i in range(FILES))],
                       cwd=where, capture_output=True, text=True, timeout=120)
    return p.returncode, p.stdout, p.stderr


where = tempfile.mkdtemp()
try:
    program = Program()
    seen = set()
    for step in range(EDITS):
        kind = program.edit() if step else 'first'
        program.save(where)
        time.sleep(0.05)  # a file that is as new as the run is not kept
        cold = check(where, '--no-cache')
        warm = check(where, '--cache', 'cache')
        same(warm, cold, f'edit {step}, {kind}')
        if cold[0] > 1:
            fail(f'edit {step}, {kind}: {cold[2]}')
        if step % 5 == 0:
            same(check(where, '--cache', 'cache'), cold, f'edit {step}, {kind}, again')
        seen.add(cold[1])
    if len(seen) < EDITS / 3:
        fail(f'only {len(seen)} different reports')
finally:
    shutil.rmtree(where, ignore_errors=True)
