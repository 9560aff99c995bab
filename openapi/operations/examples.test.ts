import { describe, expect, it } from "vitest";
import { buildDocument, buildOpenDocument } from "../document/document.js";
import { defaultProfile, isGapId } from "../gaps/profile.js";
import { serviceOperations } from "./register.js";
import { ContractValidator } from "../validation/contract-validator.js";
import { defineOperationGroup, getExampleResponse, type OperationDefinition } from "./operation.js";

const strict = { kind: "strict", profile: defaultProfile } as const;
const faces = { strict, open: { kind: "open" } } as const;
const validators = {
  strict: new ContractValidator(buildDocument(defaultProfile)),
  open: new ContractValidator(buildOpenDocument()),
};

describe.each(Object.entries<OperationDefinition>(serviceOperations))(
  "the example of %s",
  (id, definition) => {
    const { request } = definition.example;
    it.each(["strict", "open"] as const)("fits the %s document", (strictness) => {
      const [success] = definition.successes(strict);
      const header = () => "application/json";
      const body = getExampleResponse(definition, faces[strictness]);
      const answer = { status: Number(success?.status), header, body };
      expect(validators[strictness].validateRequest(id, { path: {}, query: {}, body: request })).toEqual([]);
      expect(validators[strictness].validateResponse(id, answer)).toEqual([]);
    });
  },
);

describe.each(Object.entries<OperationDefinition>(serviceOperations))(
  "the description of %s",
  (_, operation) => {
    const { summary, description = "" } = operation;

    it("says more than the summary", () => {
      const words = (text: string) => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
      const said = new Set<string>(words(summary));
      const [first = ""] = description.split(/(?<=[.:]) /);
      expect(words(first).filter((word) => !said.has(word)).length).toBeGreaterThanOrEqual(3);
    });

    it("names only existing gaps", () => {
      const named = [...description.matchAll(/\(gaps? ([^)]*)\)/g)].flatMap(([, list = ""]) =>
        [...list.matchAll(/`([a-z-]+)`/g)].map(([, gap = ""]) => gap),
      );
      expect(named.filter((gap) => !isGapId(gap))).toEqual([]);
    });
  },
);

it("refuses an operation whose path has a parameter without a description", () => {
  const define = defineOperationGroup({ tag: "Health" });
  const routes = { method: "get", path: "/things/{thingId}" } as const;
  expect(() => define({ getThing: { routes, summary: "Get a thing", successes: [] } })).toThrow("thingId");
});
