<!DOCTYPE html>
<?php

declare(strict_types=1);

namespace Shop\Orders;

use Shop\Store\{Order, Finder};

// The most that one page holds.
const MAX_PAGE = 50, MIN_PAGE = 1;
define('SHOP_ROOT', __DIR__);
$config = ['debug' => true];

/**
 * Adds up what was bought.
 *
 * @param Order[] $orders
 */
function total(array $orders): float
{
    $local = array_sum(array_map(fn (Order $o) => $o->price(), $orders));
    function helper() {}
    return \Shop\Tax\with_tax($local);
}

/** Answers what the shop holds. */
#[Route('/orders', name: 'orders_')]
#[AsController]
final class OrderController extends Base implements Finder, \Countable
{
    use Loggable;

    public const KIND = 'order', STATE = "new";
    private static ?self $instance = null;
    protected readonly array $items, $lines;

    public function __construct(private Store $store, int $limit = self::MAX)
    {
        parent::__construct();
    }

    // One order.
    #[Route('/{id}', methods: ['GET'])]
    public function one(int $id): ?Order
    {
        $found = $this->store?->find($id) ?? throw new NotFound("no order {$this->describe($id)} of $id");
        $later = function () use ($id) { return new class extends Order {
            public function inner() {}
        }; };
        return static::check($found, new \Shop\Check);
    }

    abstract protected function größe(string $wort): int;

    #[\ReturnTypeWillChange]
    public function count() { return 1; }
}

interface Finder
{
    const LIMIT = 3;
    public function find(int $id): Order;
}

trait Loggable
{
    private $log = <<<TEXT
        all of {$this->name()}
        TEXT;

    public function log(string $text): void { print(<<<'RAW'
        nothing called() here
        RAW); }
}

enum Colour: string
{
    /** Like blood. */
    case Red = 'r';
    case Blue = 'b';

    public static function default(): self { return self::Red; }
}

$double = function (int $x) { return $x * 2; };
$triple = fn (int $x): int => $x * 3;

Route::get('/orders/{id}', [OrderController::class, 'one']);
Route::post('orders/{id}/lines', function (Request $request) {
    return store($request->all());
});
Route::middleware('auth')->delete('/orders/{id}', 'OrderController@drop');
$app->put('/lines', LineAction::class);
Cache::get('/tmp/x', fn () => 1);
$cache->get('/a/b', 1);
