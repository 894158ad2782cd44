"""Counts the pairs of call paths to the accesses of `used`, from the graphs."""
import json
import sys


def paths(graph, at, seen=()):
    """All paths from node at to the end, as tuples of calls."""
    if at == graph['end']:
        return [()]
    found = []
    for e in graph['edges']:
        if e['from'] == at and e['to'] not in seen:
            found += [(e['to'],) + p for p in paths(graph, e['to'], seen + (at,))]
    return found


def functions(graph, path):
    names = {n['id']: n['function'] for n in graph['nodes']}
    return [names[i] for i in path]


pairs, roots = set(), set()
for race in json.load(open(sys.argv[1]))['races']:
    if not race['location']['name'].endswith('.used'):
        continue
    for p in race['pairs']:
        sides = []
        for side in (p['first'], p['second']):
            g = side['graph']
            sides.append([(side['kind'], side['line'], tuple(functions(g, x)))
                          for x in paths(g, g['start'])])
        for x in sides[0]:
            for y in sides[1]:
                pairs.add(tuple(sorted((x, y))))
                roots.add((tuple(sorted((x[2][0], y[2][0]))), tuple(sorted((x[0], y[0])))))
for x, y in sorted(pairs):
    print(x[0], ' '.join(x[2]), '|', y[0], ' '.join(y[2]))
print(len(pairs), 'pairs of paths,', len(roots), 'of roots and kinds')
