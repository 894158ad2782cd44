"""Entries with flipped bytes, cut short, exchanged, emptied or from elsewhere are replaced and never used."""
from cachetest import Project, fail, same
import os
import random

rand = random.Random(1)


def flip(data):
    data = bytearray(data)
    for _ in range(rand.choice((1, 1, 5))):
        data[rand.randrange(len(data))] ^= 1 << rand.randrange(8)
    return bytes(data)


DAMAGE = [flip] * 4 + [lambda d: d[:rand.randrange(len(d))], lambda d: b'', lambda d: d + b'\0',
                       lambda d: bytes(len(d)), lambda d: d[:4] + bytes([d[4] + 1]) + d[5:],
                       lambda d: b'\x7fELF' + d[4:]]

for inputs, kinds in ((('main.c', 'lib.c'), DAMAGE[:5]), (('main.bc', 'lib.bc'), DAMAGE)):
    with Project() as p:
        cold = p.run(inputs=inputs, cache=False)
        same(p.run(inputs=inputs), cold)
        same(p.found(inputs=inputs), 2)
        for damage in kinds:
            for path in p.entries():
                with open(path, 'rb') as f:
                    data = f.read()
                with open(path, 'wb') as f:
                    f.write(damage(data))
            same(p.run(inputs=inputs), cold, 'after damage')
            same(p.found(inputs=inputs), 2, 'the cache is whole again')
            same(p.known(inputs=inputs), True, 'with the result')
            for path in p.entries('.result'):
                with open(path, 'rb') as f:
                    data = f.read()
                with open(path, 'wb') as f:
                    f.write(damage(data))
                same(p.run(inputs=inputs), cold, 'a damaged result')
        units = [path for path in p.entries() if path.endswith('.ir')]
        if len(units) != 2:
            fail(f'{len(units)} units')
        os.rename(units[0], units[0] + 'x')
        os.rename(units[1], units[0])
        os.rename(units[0] + 'x', units[1])
        same(p.run(inputs=inputs), cold, 'after an exchange')
        same(p.found(inputs=inputs), 2, 'the cache is whole again')
