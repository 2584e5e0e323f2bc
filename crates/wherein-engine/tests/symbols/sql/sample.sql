-- Schema of the shop.
CREATE SCHEMA shop;

/* Who buys. */
CREATE TABLE IF NOT EXISTS shop.customers (
    id BIGINT PRIMARY KEY,
    name VARCHAR(200) NOT NULL DEFAULT 'nobody', -- as on the card
    "größe" INTEGER,
    created_at TIMESTAMP DEFAULT now()
);

CREATE TABLE orders (
    id SERIAL,
    customer_id BIGINT REFERENCES shop.customers (id),
    total NUMERIC(10, 2) CHECK (total >= 0),
    CONSTRAINT orders_pk PRIMARY KEY (id)
);

-- Finds orders of one customer fast.
CREATE UNIQUE INDEX idx_orders_customer ON orders (customer_id);

-- | Orders that are not paid.
CREATE OR REPLACE VIEW open_orders AS
SELECT o.id, COALESCE(o.total, 0) AS total
FROM orders o
WHERE o.state = 'open';

CREATE MATERIALIZED VIEW monthly_totals AS
SELECT date_trunc('month', created_at) AS month, SUM(total) FROM orders GROUP BY 1;

CREATE TYPE order_state AS ENUM ('open', 'paid');
CREATE TYPE address AS (street TEXT, city TEXT);

-- Adds up the orders of a customer.
CREATE OR REPLACE FUNCTION order_total(customer BIGINT)
RETURNS NUMERIC AS $$
DECLARE
    result NUMERIC;
BEGIN
    SELECT SUM(total) INTO result FROM orders WHERE customer_id = customer;
    RETURN result;
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION twice(n INTEGER) RETURNS INTEGER
LANGUAGE SQL
RETURN n * 2;

CREATE PROCEDURE archive_orders(before DATE)
LANGUAGE SQL
AS $$
    DELETE FROM orders WHERE created_at < before;
$$;

CREATE TRIGGER orders_changed
AFTER UPDATE ON orders
FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE SEQUENCE order_numbers START 100;

ALTER TABLE orders ADD COLUMN note TEXT;

INSERT INTO orders (id, total) VALUES (1, 9.5), (2, 3);
SELECT upper(name) FROM shop.customers WHERE name LIKE 'A%';

CREATE OR REPLACE PROCEDURE shop.pay_all(cutoff DATE)
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE orders SET state = 'paid';
END;
$$;
