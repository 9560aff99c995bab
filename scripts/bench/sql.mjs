/** Statements of the SQL interface, on a table of 10,000 rows of about 200 bytes in 100 partitions of 100. */
const partitions = 100;
const perPartition = 100;
const variety = 250;

const headers = { "Content-Type": "application/json", Authorization: "Bearer dsk_demo_database_all" };
const base = "/databases/db_demo/sql";
const columns = "customer, number, status, total, price, placed, note";
const markers = "(?, ?, ?, ?, ?, ?, ?)";

const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const customerOf = (n) => `customer-${n % partitions}`;
const numberOf = (n) => `order-${String(n % perPartition).padStart(4, "0")}`;
const valuesOf = (customer, number, n) => [
  customer,
  number,
  n % 3 === 0 ? "open" : "shipped",
  10 + (n % 90),
  (n % 400) / 4,
  "2030-01-01T12:00:00Z",
  "packed with care, do not bend, leave with the neighbour if nobody answers the door",
];

/** Makes the table and its rows. */
export async function fillSql(url) {
  await post(`${url}${base}/execute`, {
    sql:
      "CREATE TABLE bench_orders (customer VARCHAR, number VARCHAR, status VARCHAR NOT NULL, total INT, " +
      "price DECIMAL, placed TIMESTAMP, note VARCHAR, PRIMARY KEY ((customer), number))",
  });
  for (let partition = 0; partition < partitions; partition += 1) {
    const rows = range(perPartition, (n) => valuesOf(customerOf(partition), numberOf(n), n));
    const sql = `INSERT INTO bench_orders (${columns}) VALUES ${rows.map(() => markers).join(", ")}`;
    await post(`${url}${base}/query`, { sql, parameters: rows.flat() });
  }
}

export const sqlOperations = [
  {
    name: "sql select by key",
    sql: "SELECT * FROM bench_orders WHERE customer = ? AND number = ?",
    parameters: (n) => [customerOf(n * 7), numberOf(n * 3)],
  },
  {
    name: "sql insert",
    sql: `INSERT INTO bench_orders (${columns}) VALUES ${markers}`,
    // the load generator puts an id of its own into every request
    parameters: (n) => valuesOf(customerOf(n * 7), "[<id>]", n),
    distinct: true,
  },
  {
    name: "sql page of 20",
    sql: "SELECT * FROM bench_orders WHERE customer = ?",
    parameters: (n) => [customerOf(n * 7)],
    limit: 20,
  },
].map(({ name, sql, parameters, limit, distinct }) => ({
  name,
  method: "POST",
  fill: fillSql,
  distinct,
  emulator: range(variety, (n) => ({
    method: "POST",
    path: `${base}/query`,
    headers,
    body: JSON.stringify({ sql, parameters: named(parameters(n)), limit }),
  })),
}));

/** The parameters of markers are members of an object, in their order. */
function named(values) {
  return Object.fromEntries(values.map((value, index) => [`p${index}`, value]));
}

async function post(url, { sql, parameters = [] }) {
  const body = JSON.stringify({ sql, ...(parameters.length === 0 ? {} : { parameters: named(parameters) }) });
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}
