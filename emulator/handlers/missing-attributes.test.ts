import { afterAll, beforeAll, describe, expect } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { beginItems, type ItemsClient, type SeenPage } from "../testing/items-client.js";
import { repositoryScene } from "../testing/repository-client.js";
import { type TestEmulator, testEmulator } from "../testing/test-client.js";

let running: TestEmulator;
beforeAll(async () => {
  running = await testEmulator();
});
afterAll(() => running.emulator.close());

/** What has no `v`, what has null, and what has 1 or 2. */
const given = [{}, { v: null }, { v: 1 }, { v: 2 }];

async function load(items: ItemsClient): Promise<void> {
  for (const [n, data] of given.entries()) await items.put("a", String(n), data);
}

/** Which of the items a filter finds. */
async function found(items: ItemsClient, filterExpression: object): Promise<string> {
  const answer = await items.query({ partitionKey: "a", filterExpression });
  return (answer.body as SeenPage).items.map(({ sk }) => sk).join("");
}

/** Which of the items a condition holds for. */
async function holding(
  items: ItemsClient,
  conditionExpression: string,
  conditionValues: object,
): Promise<string> {
  let all = "";
  for (const [n, data] of given.entries()) {
    const answer = await items.put("a", String(n), data, { conditionExpression, conditionValues });
    if (answer.status === 200) all += String(n);
  }
  return all;
}

describe("an attribute that is not there", () => {
  eachAnswer("missing-attribute-unequal", "is unequal to a value or not", async (answer, profile) => {
    const items = await beginItems(running, profile);
    await load(items);
    const missing = answer === "yes" ? "0" : "";
    expect(await found(items, { v: { $ne: 1 } })).toBe(`${missing}13`);
    expect(await found(items, { $not: { v: { $ne: 1 } } })).toBe(answer === "yes" ? "2" : "02");
    expect(await found(items, { v: { $ne: null } })).toBe(`${missing}23`);
    expect(await holding(items, "v <> :one", { ":one": 1 })).toBe(`${missing}13`);
    expect(await holding(items, ":one <> v AND attribute_exists(pk)", { ":one": 1 })).toBe(`${missing}13`);
    // an item that is not there lacks every attribute
    const absent = await items.put(
      "b",
      null,
      {},
      { conditionExpression: "v <> :v", conditionValues: { ":v": 1 } },
    );
    expect(absent.status).toBe(answer === "yes" ? 200 : 409);
    // no other comparison is changed
    expect(await found(items, { v: { $lt: 2 } })).toBe("2");
    expect(await found(items, { v: null })).toBe("1");
  });

  eachAnswer("missing-attribute-null", "equals null or not", async (answer, profile) => {
    const items = await beginItems(running, profile);
    await load(items);
    const missing = answer === "yes" ? "0" : "";
    expect(await found(items, { v: null })).toBe(`${missing}1`);
    expect(await found(items, { v: { $eq: null } })).toBe(`${missing}1`);
    expect(await found(items, { v: { $in: [2, null] } })).toBe(`${missing}13`);
    expect(await found(items, { $not: { v: null } })).toBe(answer === "yes" ? "23" : "023");
    expect(await found(items, { v: 1 })).toBe("2");
    expect(await holding(items, "v = :none", { ":none": null })).toBe(`${missing}1`);
    expect(await holding(items, ":none = v", { ":none": null })).toBe(`${missing}1`);
    expect(await holding(items, "v IN (:one, :none)", { ":one": 1, ":none": null })).toBe(`${missing}12`);
    // whether what is missing is unequal to anything is another question
    expect(await found(items, { v: { $ne: null } })).toBe("23");
    expect(await found(items, { v: { $lt: 2 } })).toBe("2");
  });

  eachAnswer("missing-attribute-null", "of an entity equals null or not", async (answer, profile) => {
    const { owner, entities, emulator } = await repositoryScene(undefined, profile);
    for (const data of given) await owner.post(entities, { data });
    const { body } = await owner.post(`${entities}/query`, {
      filter: "v = :none",
      filterValues: { ":none": null },
    });
    expect(body.entities.map(({ data }) => data)).toEqual(given.slice(answer === "yes" ? 0 : 1, 2));
    await emulator.close();
  });
});
