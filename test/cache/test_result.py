"""A check that was made before is not made again, and every format prints the same bytes; what the result depends on makes a miss."""
from cachetest import Project, same, write
import os

FORMS = [('--format', f) for f in ('text', 'json', 'jsonl', 'sarif', 'github')] + [
    ('--view', 'field'), ('--view', 'object', '--format', 'json'), ('--level', 'likely'),
    ('--format', 'json', '--paths', 'all'), ('-j1',), ('--strict',), ('--triage', 'verdicts'),
    ('--suppressions', 'rules'), ('--baseline', 'base.json')]
OTHER = [('--memory-limit', '900M'), ('--volatile', 'race'), ('--without', 'parallel'), ('--k', '1'),
         ('--contexts', 'none'), ('--points-to', 'unification'), ('--entry', 'main'), ('--open',),
         ('--never-shared', 'other'), ('--lock-rule', 'chord')]

# threads that hold locks, in a library's way: paths, locks and causes are shown
LOCKED = """#include <pthread.h>
#include <stdlib.h>
struct node { pthread_mutex_t m; int n, k; } *one;
static int shared, rare;
static void add(struct node *x) { x->n++; shared++; }
static void *run(void *p)
{
	struct node *x = p;
	pthread_mutex_lock(&x->m);
	add(x);
	pthread_mutex_unlock(&x->m);
	x->k++;
	free(one);
	return 0;
}
int main(void)
{
	pthread_t t[2];
	one = calloc(1, sizeof *one);
	pthread_mutex_init(&one->m, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, run, one);
	pthread_mutex_lock(&one->m);
	add(one);
	pthread_mutex_unlock(&one->m);
	one->k = 1; rare = 2;
	return shared;
}
"""

with Project() as p:
    write(f'{p.dir}/locked.c', LOCKED)
    p.settle()
    for inputs in (('main.c', 'lib.c'), ('locked.c',)):
        how = {'inputs': inputs}
        p.run('--format', 'json', '-o', 'base.json', cache=False, **how)
        same(p.known(**how), False, 'the first time')
        for form in FORMS:
            cold = p.run(*form, cache=False, **how)
            same(p.run(*form, **how), cold, f'{inputs}, {form}')
            if form[0] != '--triage':
                same(p.known(**how), True, f'{form}')
        for other in OTHER:
            same(p.known(*other, **how), False, f'{other}')
            same(p.known(*other, **how), True, f'{other}, again')
            same(p.run(*other, **how), p.run(*other, cache=False, **how), f'{other}')
        same(p.known(**how), True, 'the first result is still there')
        # outputs that need more than is kept
        for emit in ('--emit-icg', '--emit-sites', '--emit-pairs'):
            p.run(emit, 'cold', cache=False, **how)
            p.run(emit, 'warm', **how)
            same(open(f'{p.dir}/warm').read(), open(f'{p.dir}/cold').read(), emit)
    # comments are not part of the program: they are read anew
    how = {'inputs': ('main.bc', 'lib.bc')}
    same([p.known(**how), p.known(**how)], [False, True])
    source = open(f'{p.dir}/main.c').read()
    before = p.run(**how)
    write(f'{p.dir}/main.c', source.replace('\tshared++;', '\tshared++; // concord: ignore(a test)'))
    same(p.known(**how), True, 'a comment')
    same(p.run(**how), p.run(cache=False, **how), 'a comment')
    same(p.run(**how) != before, True, 'the comment shows')
    write(f'{p.dir}/main.c', source.replace('shared++;', 'shared += 1;'))
    same(p.run('--format', 'json', **how), p.run('--format', 'json', cache=False, **how), 'ids go by the text')
    os.unlink(f'{p.dir}/main.c')
    same(p.run(**how), p.run(cache=False, **how), 'no source')
    # a function that has only moved is the same; the report has its new lines
    for name in ('locked.c', 'lib.c'):
        how = {'inputs': (name,)}
        before = p.run('--open', **how)
        write(f'{p.dir}/{name}', open(f'{p.dir}/{name}').read().replace('\n{', '\n/* moved */\n\n{'))
        p.settle()
        same(p.known('--open', **how), True, 'lines were moved')
        for form in FORMS[:5]:
            same(p.run('--open', *form, **how), p.run('--open', *form, cache=False, **how), f'moved, {form}')
        same(p.run('--open', **how) != before, name == 'locked.c', 'the move shows')
    # what a limit cut short is not kept
    for limit in ('1M', '2M', '4M'):
        cold = p.run('--memory-limit', limit, cache=False, **how)
        same([p.run('--memory-limit', limit, **how) for _ in range(2)], [cold] * 2, limit)
