import { describe, expect } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { createItemsClient, type ItemsClient, type ReturnedPage } from "../testing/items-client.js";
import { createRepositoryTestSetup } from "../testing/repository-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";

const running = useTestEmulator();

/** Data without `v`, with null, with 1 and with 2. */
const given = [{}, { v: null }, { v: 1 }, { v: 2 }];

async function load(items: ItemsClient): Promise<void> {
  for (const [n, data] of given.entries()) await items.put("a", String(n), data);
}

/** Returns which items a filter finds. */
async function findMatchingItems(items: ItemsClient, filterExpression: object): Promise<string> {
  const answer = await items.query({ partitionKey: "a", filterExpression });
  return (answer.body as ReturnedPage).items.map(({ sk }) => sk).join("");
}

/** Returns for which items a condition is true. */
async function findItemsSatisfying(
  items: ItemsClient,
  conditionExpression: string,
  filterValues: object,
): Promise<string> {
  let all = "";
  for (const [n, data] of given.entries()) {
    const answer = await items.put("a", String(n), data, { conditionExpression, filterValues });
    if (answer.status === 200) all += String(n);
  }
  return all;
}

describe("a missing attribute", () => {
  eachAnswer("missing-attribute", "is unequal, null, or matches nothing", async (answer, profile) => {
    const items = await createItemsClient(running, profile);
    await load(items);
    const unequal = answer === "no-match" ? "" : "0";
    const isNull = answer === "as-null" ? "0" : "";
    expect(await findMatchingItems(items, { v: { $ne: 1 } })).toBe(`${unequal}13`);
    expect(await findMatchingItems(items, { $not: { v: { $ne: 1 } } })).toBe(
      answer === "no-match" ? "02" : "2",
    );
    expect(await findMatchingItems(items, { v: { $ne: null } })).toBe(answer === "unequal" ? "023" : "23");
    expect(await findMatchingItems(items, { v: null })).toBe(`${isNull}1`);
    expect(await findMatchingItems(items, { v: { $eq: null } })).toBe(`${isNull}1`);
    expect(await findMatchingItems(items, { v: { $in: [2, null] } })).toBe(`${isNull}13`);
    expect(await findMatchingItems(items, { $not: { v: null } })).toBe(answer === "as-null" ? "23" : "023");
    // other comparisons give the same results as before
    expect(await findMatchingItems(items, { v: 1 })).toBe("2");
    expect(await findMatchingItems(items, { v: { $lt: 2 } })).toBe("2");
    expect(await findItemsSatisfying(items, "v <> :one", { ":one": 1 })).toBe(`${unequal}13`);
    expect(await findItemsSatisfying(items, ":one <> v AND attribute_exists(pk)", { ":one": 1 })).toBe(
      `${unequal}13`,
    );
    // a missing item has no attributes
    const absent = await items.put(
      "b",
      null,
      {},
      { conditionExpression: "v <> :v", filterValues: { ":v": 1 } },
    );
    expect(absent.status).toBe(answer === "no-match" ? 409 : 200);
  });

  eachAnswer("missing-attribute", "equals null in a condition or not", async (answer, profile) => {
    const items = await createItemsClient(running, profile);
    await load(items);
    const missing = answer === "as-null" ? "0" : "";
    expect(await findItemsSatisfying(items, "v = :none", { ":none": null })).toBe(`${missing}1`);
    expect(await findItemsSatisfying(items, ":none = v", { ":none": null })).toBe(`${missing}1`);
    expect(await findItemsSatisfying(items, "v IN (:one, :none)", { ":one": 1, ":none": null })).toBe(
      `${missing}12`,
    );
    expect(await findItemsSatisfying(items, "v = w", {})).toBe(missing && "01");
    expect(await findItemsSatisfying(items, "v <> w", {})).toBe(
      { unequal: "0123", "as-null": "23" }[answer as string] ?? "",
    );
    expect(await findItemsSatisfying(items, "v IN (w)", {})).toBe(missing && "01");
  });

  eachAnswer("missing-attribute", "of an entity equals null or not", async (answer, profile) => {
    const { owner, entities, emulator } = await createRepositoryTestSetup(undefined, profile);
    for (const data of given) await owner.post(entities, { data });
    const { body } = await owner.post(`${entities}/query`, {
      filter: "v = :none",
      filterValues: { ":none": null },
    });
    expect(body.entities.map(({ data }) => data)).toEqual(given.slice(answer === "as-null" ? 0 : 1, 2));
    const compared = await owner.post(`${entities}/query`, { filter: "v = w" });
    expect(compared.body.entities.map(({ data }) => data)).toEqual(
      answer === "as-null" ? given.slice(0, 2) : [],
    );
    await emulator.close();
  });
});
