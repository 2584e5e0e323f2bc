library shop.orders;

import 'package:shop/store.dart' show Store;

/// The most that one page holds.
const int maxPage = 50, minPage = 1;
final cache = <String, Order>{};
var opened = false;
late String owner;
typedef Handler<T> = void Function(T item);
typedef int Compare(int a, int b);

/// What is bought.
///
/// More about it.
@JsonSerializable(explicit: true)
class Order<T> extends Base with Priced implements Finder {
  static const kind = 'order';
  final int id;
  String? _name, _second;

  Order(this.id, {this._name = "new"}) : super(id) {
    prepare();
  }

  Order.empty() : this(0);
  const Order.fixed(this.id);

  // Read from elsewhere.
  @Deprecated('use read')
  factory Order.fromJson(Map<String, dynamic> json) => Order<int>(json['id']);

  int get size => count(items);

  set size(int value) {
    resize(value);
  }

  /// Finds one.
  @override
  Future<Order<T>?> find<R>(R key) async {
    int helper(int x) => x + 1;
    final local = await store?.get<R>(key);
    list
      ..add(helper(1))
      ..sort();
    return local ?? (throw NotFound("no order ${describe(key)} at $key"));
  }

  Order operator +(Order other) => merge(this, other);

  @visibleForTesting
  void close();
}

abstract class Finder {
  Order first();
  int get limit;
}

mixin Priced on Base {
  double price() => 0;
}

enum Colour {
  /// Like blood.
  red('r'),
  blue('b');

  const Colour(this.code);
  final String code;

  String shade() => '''dark ${code.trim()}''';
}

extension Shout on String {
  String shout() => toUpperCase();
}

extension type Id(int value) {
  // Größer.
  int twice() => value.abs(); // 'ü'
}

int get total => cache.length;

void main(List<String> args) {
  print(new Order.empty());
  show(const Point(1, 2));
  app.get('/orders/<id>', (request) => find(request));
  cache.get('/a/b', 1);
}
