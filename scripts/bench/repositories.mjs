/** Operations on entities: those of the demo fixture's repository `products`, whose schema uses every key. */
const json = { "Content-Type": "application/json" };
const headers = { ...json, Authorization: "Bearer dsk_demo_repository_all" };
const path = "/api/v1/repositories/repo_demo_products";

const product = (n) => ({
  sku: `GEN-${String(1000 + (n % 9000))}`,
  title: `Thing number ${n}`,
  price: 1 + (n % 500) / 4,
  inStock: n % 3 > 0,
  tags: ["generated", `batch-${n % 7}`],
  maker: { name: `Maker ${n % 50}`, country: "FI", since: 1900 + (n % 100) },
});

export const entityOperations = [
  {
    name: "entity create",
    method: "POST",
    emulator: Array.from({ length: 250 }, (_, n) => ({
      method: "POST",
      path,
      headers,
      body: JSON.stringify({ data: product(n) }),
    })),
  },
];
