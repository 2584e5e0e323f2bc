import React, { memo } from "react";
const path = require("path");

/** What a row of the list gets. */
export type RowProps<T = unknown> = {
  item: T;
  "data-id"?: string;
  onPick(item: T): void;
};

export interface Shelf extends Base {
  readonly books: Book[];
  find<K extends keyof Book>(key: K): Book[K] | undefined;
  get size(): number;
  new (name: string): Shelf;
}

export enum Colour {
  Red,
  "dark-blue",
  Green = "green",
}

declare module "books" {
  export function open(path: string): Book;
}
declare const VERSION: string;
declare function today(): Date;

export abstract class Repository<T> {
  private static instance?: Repository<any>;
  protected abstract load(id: string): Promise<T>;
  constructor(private readonly client: Client, @Inject(CACHE) cache?: Cache) {}
  set limit(value: number) {}
  find(id: string): T;
  find(id: number): T;
  find(id: any): T {
    const found = this.#lookUp!(id);
    return this.load<T>(id)!;
  }
  #lookUp = async (id: string) => cast<T>(id);
}

namespace Shop.Front {
  export const open = 9;
  export class Door {}
}

@Controller({ path: "books" })
export class BookController {
  constructor(private repository: Repository<Book>) {}

  // All of them.
  @Get()
  list() {}

  @Post("import/:source")
  @HttpCode(201)
  bring(@Param("source") source: string) {
    return pipe(source, open);
  }
}

/** One row. */
export const Row = memo(function Row({ item }: RowProps<Book>) {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
  return (
    <li className="row" onClick={toggle}>
      <Cover book={item} /> título: {item.title}
      <Shop.Price>{format(item.price)}</Shop.Price>
    </li>
  );
});

export function List(props: { rows: Book[] }): JSX.Element {
  return <ul>{props.rows.map((row) => <Row key={row.id} item={row} />)}</ul>;
}

export const größe = <T,>(list: T[]): number => list.length;

test("lists books", async () => {
  render(<List rows={[]} />);
});

server.get<{ Params: { id: string } }>("/books/:id", { schema }, async (request) => load(request.params.id));
