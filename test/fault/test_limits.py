"""Memory limits that are reached in one phase or another, with one worker or two: what is then said is that, with exit status 3, and a run that ends says what one without a limit says."""
from faulttest import IR, check, fail

N, LIMITS = 1500, (30, 40, 42, 43, 44, 45, 46, 47, 48, 300)


def function(i):
    """Locks, allocates, publishes, and calls the next two; the last ones lead back to the first."""
    near, far = (i + 1) % N, (i * 7 + 3) % N
    return f"""fn internal @f{i}() {{
	%p = call ptr @malloc(16)
	call @pthread_mutex_lock(@m)
	store ptr @q{i % 50}, %p
	%v = load i32 @g
	%w = add i32 %v, {i}
	store i32 @g, %w
	call @pthread_mutex_unlock(@m)
	cbr %v, b2, b3
b2:
	call @f{near}()
	call @f{far}()
	br b3
b3:
	%o = load ptr @q{far % 50}
	store i32 %o, {i}
	ret
}}
"""


PROGRAM = """declare @malloc(1) -> ptr
declare @pthread_mutex_lock(1) -> int
declare @pthread_mutex_unlock(1) -> int
global @m size 40
""" + ''.join(f'global @q{k} size 8\n' for k in range(50)) + IR + ''.join(function(i) for i in range(N))

whole = check('large.ir', PROGRAM)
if whole[0] != 1 or whole[2]:
    fail(f'without a limit: exit status {whole[0]}: {whole[2]}')
ended = 0
for limit in LIMITS:
    for jobs in ('1', '2'):
        status, out, err = check('large.ir', PROGRAM, '--memory-limit', f'{limit}M', '-j', jobs)
        if (status, out, err) == whole:
            ended += 1
        elif status != 3 or 'memory limit' not in err or err.count('\n') > 2:
            fail(f'{limit} MiB, {jobs} jobs: exit status {status}: {err[-2000:]}')
if not 0 < ended < 2 * len(LIMITS):
    fail(f'{ended} runs ended')
