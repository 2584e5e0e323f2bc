/*
 * A licence that belongs to nothing.
 */
package org.example.shop;

import java.util.*;

/**
 * Answers what the shop holds.
 *
 * <p>More about it.
 */
@RestController
@RequestMapping(path = "/api/orders", produces = "application/json")
public class OrderController extends Base<Order> implements Closeable {
    /** The most that one page holds. */
    public static final int MAX_PAGE = 50;
    private final Map<String, Order> cache = new HashMap<>();
    private int hits, misses;

    @Autowired
    public OrderController(OrderService service) {
        super(service);
        int local = 1;
    }

    // All of them.
    @GetMapping
    public List<Order> list() {
        return cache.values().stream().map(Order::total).collect(Collectors.toList());
    }

    @GetMapping("/{id}")
    Order one(@PathVariable("id") String id) throws NotFound {
        Order found = this.<Order>find(id);
        Runnable later = new Runnable() {
            @Override
            public void run() {
                helper(id);
            }
        };
        return Objects.requireNonNull(found, "no order " + id);
    }

    @RequestMapping(value = "/{id}/cancel", method = RequestMethod.POST)
    @ResponseStatus(
        code = HttpStatus.ACCEPTED
    )
    public <T extends Order> void cancel(T order) { order.new Receipt(); }

    static class Page<T> {
        T[] items;
    }

    protected abstract Order find(String id);

    @Override
    public void close() {}
}

interface Finder<K> {
    int LIMIT = 3;

    Order find(K key);

    default Order first() { return find(null); }
}

@interface Audited {
    String value() default "all";
}

enum Colour implements Finder<String> {
    /** Like blood. */
    RED("r") { String shade() { return "dark"; } },
    BLUE("b");

    private final String code;

    Colour(String code) { this.code = code; }
}

record Point(int x, int y) {
    Point {
        if (x < 0) throw new java.lang.IllegalArgumentException("x < 0");
    }
}

@Path("/bücher")
class Bücherei {
    @GET
    @Path("{id}")
    @Produces(MediaType.TEXT_PLAIN)
    public String größe(@PathParam("id") char c) { return """
        viele %s""".formatted('ü'); }
}
