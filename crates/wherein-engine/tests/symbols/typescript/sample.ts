import { x } from "y";

/** Where orders are kept. */
export const store = new Map<string, number>();

/**
 * Finds an order.
 * @param id its number
 */
export async function findOrder(id: string): Promise<Order> {
  const local = `order ${name(id)}`;
  return load(local);
}

export const add = (a: number, b: number): number => a + b;

@Controller("orders")
export class OrderController extends Base {
  private limit = 3;

  constructor(private readonly service: Service) {
    super();
  }

  // One order.
  @Get(":id")
  async one(id: string): Promise<Order> {
    return this.service.find(id);
  }

  handler = (e: Event) => {
    this.one(e.id);
  };
}

export interface Order {
  id: string;
  total(): number;
}

type Id = string | number;

enum Colour {
  Red,
}

namespace Shop {
  export function open() {}
}

app.get("/health", (req, res) => res.send("ok"));
