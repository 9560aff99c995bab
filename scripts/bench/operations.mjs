/**
 * The operations that are measured: for each, the requests to the emulator, and to an emulator of DynamoDB where that has
 * the same operation. All work on 10,000 items of about 200 bytes in 500 partitions of 20.
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

/** Puts the 10,000 items into the emulator's demo database. */
export async function fillEmulator(url) {
  for (let start = 0; start < partitions * perPartition; start += 25) {
    const items = range(25, (offset) => {
      const n = start + offset;
      const partition = Math.floor(n / perPartition);
      return { operation: "Put", pk: pkOf(partition), sk: skOf(n), data: dataOf(n) };
    });
    await post(`${url}/api/v1/databases/db_demo/items/batch/write`, emulatorHeaders, { items });
  }
}

/** The same into a table of an emulator of DynamoDB. */
export async function fillDynamo(url) {
  await dynamo(url, "CreateTable", {
    TableName: "items",
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
    const { Table } = await dynamo(url, "DescribeTable", { TableName: "items" });
    if (Table.TableStatus === "ACTIVE") break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (let start = 0; start < partitions * perPartition; start += 25)
    await dynamo(url, "BatchWriteItem", {
      RequestItems: {
        items: range(25, (offset) => {
          const n = start + offset;
          return { PutRequest: { Item: dynamoItem(Math.floor(n / perPartition), n) } };
        }),
      },
    });
}

const emulatorHeaders = { ...json, Authorization: "Bearer dsk_demo_database_all" };
const base = "/api/v1/databases/db_demo/items";

export const operations = [
  {
    name: "get",
    method: "GET",
    emulator: range(variety, (n) => ({
      method: "GET",
      path: `${base}/${pkOf(n * 7)}/${skOf(n * 3)}`,
      headers: { Authorization: emulatorHeaders.Authorization },
    })),
    dynamo: range(variety, (n) =>
      dynamoRequest("GetItem", {
        TableName: "items",
        Key: { pk: { S: pkOf(n * 7) }, sk: { S: skOf(n * 3) } },
      }),
    ),
  },
  {
    name: "put",
    method: "POST",
    emulator: range(variety, (n) => send("PUT", base, { pk: pkOf(n * 7), sk: skOf(n * 3), data: dataOf(n) })),
    dynamo: range(variety, (n) =>
      dynamoRequest("PutItem", { TableName: "items", Item: dynamoItem(n * 7, n * 3) }),
    ),
  },
  {
    name: "query of 20",
    method: "POST",
    emulator: range(variety, (n) => send("POST", `${base}/query`, { partitionKey: pkOf(n * 7), limit: 20 })),
    dynamo: range(variety, (n) =>
      dynamoRequest("Query", {
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
      send("POST", `${base}/batch/write`, {
        items: range(25, (k) => ({
          operation: "Put",
          pk: pkOf(n * 25 + k),
          sk: skOf(n + k),
          data: dataOf(n + k),
        })),
      }),
    ),
    dynamo: range(variety, (n) =>
      dynamoRequest("BatchWriteItem", {
        RequestItems: {
          items: range(25, (k) => ({ PutRequest: { Item: dynamoItem(n * 25 + k, n + k) } })),
        },
      }),
    ),
  },
  {
    name: "transact write of 4",
    method: "POST",
    emulator: range(variety, (n) =>
      send("POST", `${base}/transact/write`, {
        items: range(4, (k) => ({
          action: "Put",
          pk: pkOf(n * 4 + k),
          sk: skOf(n + k),
          data: dataOf(n + k),
        })),
      }),
    ),
    // dynalite has no transactions, by which the others are compared
  },
];

function send(method, path, body) {
  return { method, path, headers: emulatorHeaders, body: JSON.stringify(body) };
}

function dynamoItem(partition, n) {
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

function dynamoRequest(action, body) {
  return { method: "POST", path: "/", headers: dynamoHeaders(action), body: JSON.stringify(body) };
}

/** They want a signature to be there, and do not check it. */
function dynamoHeaders(action) {
  return {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": `DynamoDB_20120810.${action}`,
    "X-Amz-Date": "20300101T000000Z",
    Authorization:
      "AWS4-HMAC-SHA256 Credential=bench/20300101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none",
  };
}

function dynamo(url, action, body) {
  return post(`${url}/`, dynamoHeaders(action), body);
}

async function post(url, headers, body) {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
