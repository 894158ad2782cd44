"""2,000 types that point at each other, structs nested 25 deep, 200 loops in each other, 200 locks taken one inside the other, 10,000 locks held at once, 10,000 locks that guard a variable each, a C function of 100,000 lines."""
from faulttest import END, START, races

TYPES, DEEP, LOOPS, LOCKS, LINES = 2000, 25, 200, 10000, 100000

races('types.c', START + 'struct s0 *p;\n' +
      ''.join(f'struct s{i} {{ struct s{(i + 1) % TYPES} *n; struct s{i} *self; struct s{i * 7 % TYPES} '
              f'*(*f)(struct s{i} *); int v; }};\n' for i in range(TYPES)) +
      'struct s0 one;\nstatic void run(void) { struct s0 *q = &one; ' +
      'q = (struct s0 *)q->n; ' * 50 + 'g++; }\n' + END, 1)
races('nest.c', START + 'struct d0 { int v; };\n' +
      ''.join(f'struct d{i} {{ struct d{i - 1} a, b; }};\n' for i in range(1, DEEP + 1)) +
      f'static struct d{DEEP} g_;\n#define g g_.' + 'a.' * DEEP + 'v\n'
      'static void run(void) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); }\n' + END, 0)
races('loops.c', START + 'static void run(void) {\n' +
      ''.join(f'for (int i{k} = 0; i{k} < h; i{k}++) {{\n' for k in range(LOOPS)) + 'g++;\n' +
      '}' * LOOPS + '\n}\n' + END, 1)
races('ifs.c', START + 'static void run(void) {\n' +
      ''.join(f'if (h > {k}) {{ pthread_mutex_lock(&m);\n' for k in range(LOOPS)) + 'g++;\n' +
      'pthread_mutex_unlock(&m);}' * LOOPS + '\n}\n' + END, 0)
for extra, wanted in (('', 0), ('g++;\n', 1)):
    races('held.c', START + ''.join(f'pthread_mutex_t m{i};\n' for i in range(LOCKS)) +
          'static void run(void) {\n' + ''.join(f'pthread_mutex_lock(&m{i});\n' for i in range(LOCKS)) +
          'g++;\n' + ''.join(f'pthread_mutex_unlock(&m{i});\n' for i in range(LOCKS)) + extra + '}\n' +
          END, wanted)
for extra, wanted in (('', 0), ('g++;\n', 1)):
    races('apart.c', START + ''.join(f'pthread_mutex_t m{i}; int x{i};\n' for i in range(LOCKS)) +
          'static void run(void) {\n' +
          ''.join(f'pthread_mutex_lock(&m{i}); x{i}++; pthread_mutex_unlock(&m{i});\n'
                  for i in range(LOCKS)) + extra + '}\n' + END, wanted)
races('long.c', START + 'static void run(void) {\n\tint a[100] = {0};\n' +
      ''.join(f'\ta[{i % 100}] = a[{i * 7 % 100}] + {i};\n\tif (a[{i % 100}] > {i}) g = {i};\n'
              for i in range(LINES // 2)) + '}\n' + END, 1)
