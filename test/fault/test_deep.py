"""A chain of 100,000 calls, a cycle of 100,000 functions, a function of 100,000 instructions, one of 10,000 branches."""
from faulttest import IR, races

N, BLOCKS = 100000, 10000

races('chain.ir', IR + ''.join(f'fn internal @f{i}() {{\n call @f{i + 1}()\n ret\n}}\n'
                               for i in range(N)) +
      f'fn internal @f{N}() {{\n %v = load i32 @g\n %w = add i32 %v, 1\n store i32 @g, %w\n ret\n}}\n', 1)
races('cycle.ir', IR + ''.join(f'fn internal @f{i}() {{\n %v = load i32 @g\n cbr %v, b2, b3\nb2:\n'
                               f' call @f{i + 1}()\n br b3\nb3:\n ret\n}}\n' for i in range(N - 1)) +
      f'fn internal @f{N - 1}() {{\n store i32 @g, 1\n call @f0()\n ret\n}}\n', 1)
races('line.ir', IR + 'fn internal @f0() {\n %v0 = load i32 @g\n' +
      ''.join(f' %v{i + 1} = add i32 %v{i}, 1\n' for i in range(N)) +
      f' store i32 @g, %v{N}\n ret\n}}\n', 1)
races('branches.ir', IR + 'fn internal @f0() {\n br b2\n' +
      ''.join(f'b{i + 2}:\n %v{i} = load i32 @g\n cbr %v{i}, b{i + 3}, b{BLOCKS + 2}\n'
              for i in range(BLOCKS)) + f'b{BLOCKS + 2}:\n store i32 @g, 1\n ret\n}}\n', 1)
