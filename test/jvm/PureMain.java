// Calls the methods of Pure with many values: prints `name descriptor arguments = result`, or
// `name descriptor arguments ! exception` where it throws.
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

class PureMain {
	static final long[] VALUES = {0, 1, -1, 2, 3, 5, -13, 31, 33, 100, Integer.MIN_VALUE, Integer.MAX_VALUE};

	static Object value(Class<?> type, long v) {
		if (type == long.class)
			return v == Integer.MAX_VALUE ? Long.MAX_VALUE : v == 100 ? 1L << 40 : v;
		return (int) v;
	}

	static void call(Method m, Object... args) throws Exception {
		String head = m.getName() + " "
		    + MethodType.methodType(m.getReturnType(), m.getParameterTypes()).toMethodDescriptorString();
		for (Object x : args)
			head += " " + x;
		try {
			System.out.println(head + " = " + m.invoke(null, args));
		} catch (InvocationTargetException e) {
			System.out.println(head + " ! " + e.getCause().getClass().getName());
		}
	}

	public static void main(String[] args) throws Exception {
		Method[] all = Pure.class.getDeclaredMethods();
		Arrays.sort(all, Comparator.comparing(Method::getName));
		for (Method m : all) {
			Class<?>[] types = m.getParameterTypes();
			if (m.isSynthetic() || Modifier.isPrivate(m.getModifiers()))
				continue;
			for (int i = 0; i < VALUES.length; i++)
				if (types.length == 1)
					call(m, value(types[0], VALUES[i]));
				else
					for (int k = i % 3; k < VALUES.length; k += 3)
						call(m, value(types[0], VALUES[i]), value(types[1], VALUES[k]));
		}
	}
}
