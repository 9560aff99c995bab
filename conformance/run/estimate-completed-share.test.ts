import { expect, it } from "vitest";
import type { Check } from "../check/check.js";
import { checks } from "../checks/register.js";
import { estimateCompletedShare } from "./estimate-completed-share.js";

const areaOf = (name: string) => checks.filter(({ id }) => id.startsWith(`${name}/`));
const [health = [], entities = []] = [areaOf("health"), areaOf("entities")].map((list) => list.slice(0, 2));
const selected = [...health, ...entities];
const withRequests = (list: readonly Check[], requests: number) => list.map((check) => ({ check, requests }));

it("the share of a run counts the usual requests of its checks", () => {
  expect(estimateCompletedShare(selected, [], [])).toBe(0);
  expect(estimateCompletedShare(selected, withRequests(health, 2), [])).toBeLessThan(0.05);
  expect(estimateCompletedShare(selected, withRequests(selected, 1), [])).toBe(1);
});

it("the share of a run counts the requests of checks under way, up to the usual number", () => {
  const [one] = entities;
  const share = (requests: number) =>
    estimateCompletedShare(entities, [], one === undefined ? [] : [{ check: one, requests }]);
  expect(share(100)).toBe(0.25);
  expect(share(1000)).toBe(0.5);
  expect(estimateCompletedShare(entities.slice(0, 1), [], withRequests(entities.slice(0, 1), 1000))).toBe(
    0.99,
  );
});

it("the share of a run leaves out checks that send no request", () => {
  expect(estimateCompletedShare(selected, withRequests(entities, 0), [])).toBe(0);
  expect(
    estimateCompletedShare(selected, [...withRequests(entities, 0), ...withRequests(health, 2)], []),
  ).toBe(1);
  expect(estimateCompletedShare(selected, withRequests(selected, 0), [])).toBe(1);
});
