import Foundation

/// The most orders.
let limit = 10
public var count: Int = 0, other = first(1)
typealias ID = Int

/// What is bought.
///
/// Once.
@objc(Order) @MainActor
public final class Order<T>: Base, Codable where T: Equatable {
    static let shared = Order(id: 1)
    @Published private(set) var name: String = "order \(label(1))"
    let a, b: Int
    /// Its total.
    var total: Int {
        let sum = items.reduce(0, +)
        return sum
    }
    lazy var cached: Int = {
        let local = 1
        return compute(local)
    }()

    init?(id: Int) {
        super.init()
        self.id = id
    }

    deinit { close() }

    @discardableResult
    func save(to path: String) async throws -> Bool {
        let local = path
        func check() -> Bool { true }
        return try await store.put(local, Set<Int>(a))
    }

    static func == (left: Order, right: Order) -> Bool { left.id == right.id }
    subscript(index: Int) -> T { items[index] }

    struct Part { var width: Int }
    enum State: String {
        case new, sold = "s"
        case gone(Int)
        var label: String { rawValue }
    }
}

protocol Priced: AnyObject {
    associatedtype Money
    var price: Int { get }
    func half() -> Int
}

/* More of it. */
extension Order: Priced {
    var price: Int { 1 }
    func half() -> Int { parts?.first()!.map { $0.cost() } ?? .some(2) }
}

actor Store {
    func put() {}
}

// 수주를 찾는다.
func 찾기(번호: Int) -> Int { #require(번호) }

prefix func - (order: Order) -> Order { order }
macro stringify(_ x: Int) = #externalMacro(module: "M", type: "T")

#if DEBUG
func debug() { print("""
    raw \(dump(count))
    """) }
#endif
