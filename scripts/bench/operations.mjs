/**
 * The operations to measure: for each, the requests to the emulator and, if DynamoDB has the same operation, the
 * requests to an emulator of DynamoDB. They use 10,000 items of about 200 bytes in 500 partitions of 20, a table with
 * as many rows in 100 partitions of 100, and the repository `products` in the demo fixture, whose schema uses every
 * keyword.
 */
const partitions = 500;
const perPartition = 20;
const variety = 250;

const json = { "Content-Type": "application/json" };
const pkOf = (n) => `customer-${n % partitions}`;
const skOf = (n) => `order-${String(n % perPartition).padStart(4, "0")}`;
const dataOf = (n) => ({
  status: n % 3 === 0 ? "open" : "shipped",
  total: 10 + (n % 90),
  currency: "EUR",
  note: "packed with care, do not bend, leave with the neighbour if nobody answers the door",
  lines: [{ sku: `sku-${n % 50}`, quantity: 1 + (n % 4) }],
});
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

const keyed = (key) => ({ ...json, Authorization: `Bearer ${key}` });
const emulatorHeaders = keyed("dsk_demo_database_all");
export const itemsPath = "/api/v1/databases/db_demo/items";
const sqlBase = "/databases/db_demo/sql";

/**
 * Puts the items and rows into the emulator's demo database.
 *
 * @param send sends a request; throws if it is rejected
 */
export async function fillEmulator(send) {
  const write = (path, body) =>
    send({ method: "POST", path, headers: emulatorHeaders, body: JSON.stringify(body) });
  for (let start = 0; start < partitions * perPartition; start += 25) {
    const items = range(25, (offset) => {
      const n = start + offset;
      const partition = Math.floor(n / perPartition);
      return { operation: "Put", pk: pkOf(partition), sk: skOf(n), data: dataOf(n) };
    });
    await write(`${itemsPath}/batch/write`, { items });
  }
  const sql =
    "CREATE TABLE bench_orders (customer VARCHAR, number VARCHAR, status VARCHAR NOT NULL, total INT, " +
    "price DECIMAL, placed TIMESTAMP, note VARCHAR, PRIMARY KEY ((customer), number))";
  await write(`${sqlBase}/execute`, { sql });
  for (let partition = 0; partition < 100; partition += 1) {
    const rows = range(100, (n) => valuesOf(pkOf(partition), skOfRow(n), n));
    const sql = `INSERT INTO bench_orders (${columns}) VALUES ${rows.map(() => markers).join(", ")}`;
    await write(`${sqlBase}/query`, { sql, parameters: named(rows.flat()) });
  }
}

const columns = "customer, number, status, total, price, placed, note";
const markers = "(?, ?, ?, ?, ?, ?, ?)";
const skOfRow = (n) => `order-${String(n % 100).padStart(4, "0")}`;
const valuesOf = (customer, number, n) => {
  const { status, total, note } = dataOf(n);
  return [customer, number, status, total, (n % 400) / 4, "2030-01-01T12:00:00Z", note];
};
/** Names parameters in the order of their markers. */
const named = (values) => Object.fromEntries(values.map((value, index) => [`p${index}`, value]));

/** Puts the same items into a table of a DynamoDB emulator. */
export async function fillDynamo(url) {
  await createDynamoTable(url, "items");
  for (let start = 0; start < partitions * perPartition; start += 25)
    await callDynamo(url, "BatchWriteItem", {
      RequestItems: {
        items: range(25, (offset) => {
          const n = start + offset;
          return { PutRequest: { Item: createDynamoItem(Math.floor(n / perPartition), n) } };
        }),
      },
    });
}

/** Creates a table in a DynamoDB emulator, and waits until the table is ready. */
export async function createDynamoTable(url, TableName) {
  await callDynamo(url, "CreateTable", {
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
  });
  for (;;) {
    const { Table } = await callDynamo(url, "DescribeTable", { TableName });
    if (Table.TableStatus === "ACTIVE") break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const operations = [
  {
    name: "get",
    method: "GET",
    emulator: range(variety, (n) => ({
      method: "GET",
      path: `${itemsPath}/${pkOf(n * 7)}/${skOf(n * 3)}`,
      headers: { Authorization: emulatorHeaders.Authorization },
    })),
    dynamo: range(variety, (n) =>
      createDynamoRequest("GetItem", {
        TableName: "items",
        Key: { pk: { S: pkOf(n * 7) }, sk: { S: skOf(n * 3) } },
      }),
    ),
  },
  {
    name: "put",
    method: "POST",
    emulator: range(variety, (n) =>
      createItemRequest("PUT", itemsPath, { pk: pkOf(n * 7), sk: skOf(n * 3), data: dataOf(n) }),
    ),
    dynamo: range(variety, (n) =>
      createDynamoRequest("PutItem", { TableName: "items", Item: createDynamoItem(n * 7, n * 3) }),
    ),
  },
  {
    name: "query of 20",
    method: "POST",
    emulator: range(variety, (n) =>
      createItemRequest("POST", `${itemsPath}/query`, { partitionKey: pkOf(n * 7), limit: 20 }),
    ),
    dynamo: range(variety, (n) =>
      createDynamoRequest("Query", {
        TableName: "items",
        Limit: 20,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": { S: pkOf(n * 7) } },
      }),
    ),
  },
  {
    name: "batch write of 25",
    method: "POST",
    emulator: range(variety, (n) =>
      createItemRequest("POST", `${itemsPath}/batch/write`, {
        items: range(25, (k) => ({
          operation: "Put",
          pk: pkOf(n * 25 + k),
          sk: skOf(n + k),
          data: dataOf(n + k),
        })),
      }),
    ),
    dynamo: range(variety, (n) =>
      createDynamoRequest("BatchWriteItem", {
        RequestItems: {
          items: range(25, (k) => ({ PutRequest: { Item: createDynamoItem(n * 25 + k, n + k) } })),
        },
      }),
    ),
  },
  {
    name: "transact write of 4",
    method: "POST",
    emulator: range(variety, (n) =>
      createItemRequest("POST", `${itemsPath}/transact/write`, {
        items: range(4, (k) => ({
          action: "Put",
          pk: pkOf(n * 4 + k),
          sk: skOf(n + k),
          data: dataOf(n + k),
        })),
      }),
    ),
    // dynalite has no transactions
  },
  {
    name: "entity create",
    method: "POST",
    emulator: range(variety, (n) => ({
      ...createItemRequest("POST", "/api/v1/repositories/repo_demo_products", { data: product(n) }),
      headers: keyed("dsk_demo_repository_all"),
    })),
  },
  sqlOperation("sql select by key", "SELECT * FROM bench_orders WHERE customer = ? AND number = ?", (n) => [
    customerOf(n * 7),
    skOfRow(n * 3),
  ]),
  {
    // the load generator puts a unique id into every request
    ...sqlOperation("sql insert", `INSERT INTO bench_orders (${columns}) VALUES ${markers}`, (n) =>
      valuesOf(customerOf(n * 7), "[<id>]", n),
    ),
    distinct: true,
  },
  sqlOperation(
    "sql page of 20",
    "SELECT * FROM bench_orders WHERE customer = ?",
    (n) => [customerOf(n * 7)],
    20,
  ),
];

function sqlOperation(name, sql, parameters, limit) {
  const body = (n) => ({ sql, parameters: named(parameters(n)), limit });
  return {
    name,
    method: "POST",
    emulator: range(variety, (n) => createItemRequest("POST", `${sqlBase}/query`, body(n))),
  };
}

function customerOf(n) {
  return pkOf(n % 100);
}

function product(n) {
  return {
    sku: `GEN-${String(1000 + (n % 9000))}`,
    title: `Thing number ${n}`,
    price: 1 + (n % 500) / 4,
    inStock: n % 3 > 0,
    tags: ["generated", `batch-${n % 7}`],
    maker: { name: `Maker ${n % 50}`, country: "FI", since: 1900 + (n % 100) },
  };
}

export const getKey = (partition, n) => ({ pk: pkOf(partition), sk: skOf(n) });

export function createItemRequest(method, path, body) {
  return { method, path, headers: emulatorHeaders, body: JSON.stringify(body) };
}

export function createDynamoItem(partition, n) {
  const { status, total, currency, note, lines } = dataOf(n);
  const line = ({ sku, quantity }) => ({ M: { sku: { S: sku }, quantity: { N: String(quantity) } } });
  return {
    pk: { S: pkOf(partition) },
    sk: { S: skOf(n) },
    status: { S: status },
    total: { N: String(total) },
    currency: { S: currency },
    note: { S: note },
    lines: { L: lines.map(line) },
  };
}

function createDynamoRequest(action, body) {
  return { method: "POST", path: "/", headers: dynamoHeaders(action), body: JSON.stringify(body) };
}

/** DynamoDB emulators require a signature but do not verify it. */
function dynamoHeaders(action) {
  return {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": `DynamoDB_20120810.${action}`,
    "X-Amz-Date": "20300101T000000Z",
    Authorization:
      "AWS4-HMAC-SHA256 Credential=bench/20300101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none",
  };
}

export async function callDynamo(url, action, body) {
  const answer = await createSender(url)(createDynamoRequest(action, body));
  return JSON.parse(answer);
}

/**
 * Creates a function that sends a request to a server and returns the response text; it throws if the request is
 * rejected.
 */
export function createSender(url) {
  return async ({ method, path, headers, body }) => {
    const response = await fetch(url + path, { method, headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url}${path} returned ${response.status}: ${text}`);
    return text;
  };
}
