import { expect, it } from "vitest";
import { readForm } from "./form-submission.js";

it("accepts fields with any name, even one that objects inherit", async () => {
  const sent: [string, string][] = [
    ["constructor", "a"],
    ["__proto__", "b"],
    ["toString", "c"],
    ["toString", "d"],
  ];
  const body = new URLSearchParams(sent);
  const fields = await readForm(new Request("http://127.0.0.1/", { method: "POST", body }));
  expect(Object.entries(fields)).toEqual([
    ["constructor", "a"],
    ["__proto__", "b"],
    ["toString", "c,d"],
  ]);
});
