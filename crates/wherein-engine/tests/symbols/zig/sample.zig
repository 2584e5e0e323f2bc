//! Orders of a shop.

const std = @import("std");
const assert = @import("std").debug.assert;
pub const mem = @import("mem.zig");

/// The most orders.
pub const limit: usize = 10;
var count: u32 = 0;
const letters = 'x';

/// What is bought.
///
/// Once.
pub const Order = struct {
    /// Its number.
    id: u32,
    name: []const u8 = "order",

    const Self = @This();
    const Part = packed struct { width: u8 };

    // Makes one.
    pub fn init(id: u32) Self {
        const local = first(id);
        var other: u8 = 1;
        return .{ .id = local + other };
    }

    fn total(self: Self) !u32 {
        return try self.sum(u32);
    }
};

const Colour = enum(u8) {
    red,
    green = 2,

    fn isRed(self: Colour) bool {
        return self == .red;
    }
};

const Value = union(enum) { whole: u32, none };
const ShopError = error{ Gone, Late };
const Handle = opaque {};
const Orders = std.ArrayList(Order);

extern fn c_open(path: [*c]const u8) c_int;
export fn shop_open() void {}

pub fn List(comptime T: type) type {
    return struct {
        items: []T,

        pub fn get(self: @This(), index: usize) T {
            return self.items[index];
        }
    };
}

// 수주를 찾는다.
fn @"찾기"(번호: u32) u32 {
    return @max(번호, 1);
}

const text =
    \\raw (text)
    \\of two lines
;

test "an order is made" {
    const order = Order.init(1);
    try std.testing.expect(check(order));
}

test List {}
