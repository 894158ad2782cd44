/* What a stage gives is what those behind it get. */
import java.util.concurrent.*;
public class CompletableComposed {
	static class D { int v, w; }
	public static void main(String[] a) throws Exception {
		CompletableFuture<D> f = CompletableFuture.supplyAsync(() -> { D d = new D(); d.v = 1; return d; }); // NORACE-LIKELY
		D[] leak = new D[1];
		CompletableFuture<Integer> g = f.thenCompose(d -> CompletableFuture.supplyAsync(() -> { d.w = 3; return d.v; })); // RACE
		D d = f.get();
		d.w = 9; // RACE
		System.out.println(d.v); // NORACE-LIKELY
		CompletableFuture<Integer> h = f.thenCombine(g, (p, q) -> { p.v = q; return q; }).whenComplete((r, t) -> { leak[0] = d; }); 
		h.handle((r, t) -> { leak[0] = null; return r; }).exceptionally(t -> 1).join(); // NORACE-LIKELY
		System.out.println(leak[0]); // NORACE-LIKELY
	}
}
