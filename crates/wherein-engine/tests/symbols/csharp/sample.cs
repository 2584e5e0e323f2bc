using System;
using static System.Math;

namespace Shop.Orders
{
    /// <summary>
    /// Answers what the shop holds.
    /// </summary>
    [ApiController]
    [Route("api/[controller]")]
    public sealed class OrdersController : ControllerBase, IDisposable
    {
        public const int MaxPage = 50, MinPage = 1;
        private readonly ILogger<OrdersController> _logger = new NullLogger<OrdersController>();
        public event EventHandler<Order>? Placed;

        // Names the owner.
        public string Owner { get; private set; } = "nobody";

        public int Count => Sum(_items);

        public Order this[int index]
        {
            get { return _items[index]; }
        }

        public OrdersController(IStore store) : base(store)
        {
            var local = 1;
        }

        ~OrdersController() { Dispose(); }

        /// <summary>One order.</summary>
        [HttpGet("{id:int}"), Authorize]
        public async Task<ActionResult<Order>> Get([FromRoute] int id)
        {
            int Twice(int n) => n * 2;
            var found = await _store?.FindAsync<Order>(Twice(id));
            return found ?? throw new Store.NotFound($"no order {Describe(id)} {{}}");
        }

        [HttpPost]
        public void Post<T>(T order) where T : class => Add(order);

        [Obsolete("gone")]
        [Route("old/{name}")]
        public string Größe(char c) => c == 'ü' ? @"C:\dir" : """raw""";

        public static Money operator +(Money a, Money b) => new(a.Value);

        public static implicit operator int(Money m) => m.Value;

        void IDisposable.Dispose() { }
    }

    internal interface IStore
    {
        Order Find(int id);
        int Size { get; }
    }

    public record struct Point(int X, int Y);

    public record Person(string Name)
    {
        public string Greeting() => nameof(Name);
    }

    [Flags]
    public enum Colour
    {
        /// Like blood.
        [Description("red")]
        Red = 1,
        Blue,
    }

    public delegate void Handler<T>(T item);

    public struct Money { public decimal Value; }

    public static partial class Startup
    {
        public static void Map(WebApplication app)
        {
            app.MapGet("/health", () => "ok");
            app.MapPost("/orders/{id}", async (int id, IStore store) =>
            {
                return store.Find(id);
            });
            cache.Get("/tmp/x", 1);
        }
    }
}
