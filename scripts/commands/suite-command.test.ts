import { expect, it } from "vitest";
import { Ledger } from "../../conformance/target/ledger.js";
import { formatRunHeading } from "./suite-command.js";

it("the heading of a run shows the maximum request rate", () => {
  const heading = (requestsPerSecond: number) =>
    formatRunHeading(
      "run1",
      { title: "staging", politeness: { requestsPerSecond, concurrency: 4, retries: 5 } },
      Ledger.create("run1", "http://127.0.0.1:4100"),
    );
  expect(heading(25)).toContain(
    "  pace    at most 25 requests per second (set by politeness in the target file)\n",
  );
  expect(heading(Infinity)).not.toContain("pace");
});
