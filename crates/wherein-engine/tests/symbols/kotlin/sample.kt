@file:JvmName("Shop")
package org.example.shop

import io.ktor.server.routing.*

/** The most that one page holds. */
const val MAX_PAGE = 50
private var opened = false

typealias Orders = Map<String, Order>

/**
 * What is bought.
 *
 * More about it.
 */
@Serializable
data class Order<T>(
    val id: Int,
    @Transient private var name: String = "x",
    plain: Int,
) : Base(id), Finder {
    constructor(id: Int) : this(id, "", 0) {
        prepare()
    }

    init {
        val local = load()
    }

    val size: Int
        get() = count(items)

    private val cache by lazy { HashMap<String, Int>() }
    lateinit var owner: Owner

    // Finds one.
    @Throws(IOException::class)
    override suspend fun <R> find(key: R): Order<R>? {
        fun helper(x: Int) = x + 1
        val found = store?.get<R>(key) ?: throw NotFound("no order ${describe(key)} at $key")
        return found as Order<R>
    }

    inner class Line {
        fun text(): Char = 'ü'
    }

    companion object {
        const val KIND = "order"
        fun of(id: Int) = Order(id)
    }
}

fun interface Handler {
    fun handle(order: Int)
}

interface Finder {
    val limit: Int
    fun first(): Order?
}

enum class Colour(val code: String) {
    /** Like blood. */
    RED("r"),
    BLUE("b") {
        override fun shade() = """dark ${code.trim()}"""
    };

    open fun shade() = "light"
}

object Registry : Base() {
    fun register(vararg names: String) = names.map(::lower).forEach { add(it) }
}

annotation class Audited(val by: String)

sealed class Result

val String.größe: Int get() = this.length

infix fun Int.plusOrder(other: Order<*>): Int = shop.orders.Sum(other)

fun Application.module() = routing {
    get("/health") { call.respondText("ok") }
    route("/orders") {
        get("/{id}") {
            1 plusOrder 2
        }
        post { create() }
    }
    cache.get("/tmp/x") { it }
}

@RestController
@RequestMapping("/api")
class OrderController(private val service: OrderService) {
    @GetMapping(value = ["/orders/{id}"])
    fun one(@PathVariable id: Int) = service.one(id)
}

@Target(AnnotationTarget.PROPERTY)
public annotation class Ignored
