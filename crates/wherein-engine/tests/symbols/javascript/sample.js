#!/usr/bin/env node
"use strict";

const fs = require("fs");
import { load } from "./load.js";

// The most that one basket holds.
export const MAX_ITEMS = 20;
const cache = new Map();
let lastError;
export const { addItem, dropItem } = basketSlice.actions;

/**
 * Adds up what is in a basket.
 *
 * @param {Item[]} items what was put in
 */
export async function total(items) {
  const rate = await load(`rates/${today()}`);
  function round(value) {
    return Math.round(value * rate);
  }
  return round(items.reduce((sum, item) => sum + item.price, 0));
}

function* pages() {
  yield* cache.values();
}

const double = (value) => value * 2;
var half = function (value) {
  return value / 2;
};

/** A basket with its items. */
@observed
export default class Basket extends Store.Base {
  static limit = MAX_ITEMS;
  #items = [];

  constructor(owner) {
    super(owner);
  }

  get size() {
    return this.#items.length;
  }

  // Puts one in.
  @logged("add")
  async add(item) {
    this.#check(item);
  }

  #check(item) {
    if (!item?.isValid?.()) throw new RangeError("not an item");
  }

  "with-dash"() {}

  onChange = (event) => {
    this.add(event.item);
  };
}

const Named = class {};

// Of older code.
Basket.prototype.clear = function () {
  this.done = () => {};
};
exports.open = function open(path) {
  return fs.readFileSync(path);
};
module.exports = function createBasket() {};
exports.version = "1.0";

const handlers = {
  save(state) {},
  load: function () {},
  "no-op": () => {},
  plain: 1,
};

export const 주문_찾기 = (번호) => handlers.load(번호); // 이름

const View = () => <List kind="short"><Shop.Item name={label()} /> in stock</List>;

describe("baskets", () => {
  it.each([1, 2])("hold %s items", async () => {
    const local = html`<b>${double(1)}</b>`;
    expect(local).toBe(2);
  });
});

// Says that all is well.
app.get("/health", (req, res) => res.send("ok"));
router.post("/baskets", requireUser, createOne);
router.route("/baskets/:id").get(readOne).put(writeOne);
axios.get("/users", { params });
cache.get("/tmp/x", fallback);
